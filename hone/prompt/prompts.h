// The prompts of a run.
//
// Each is one system message, the same for all roles, and one user message: recalled lessons, the
// task, the output under discussion, and only then what the role is asked. So any two prompts of a
// run start alike as far as possible, and providers need not read that part again. What a judge
// goes by (rubric, criteria) is in judge prompts only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hone/base/json.h"
#include "hone/core/effects.h"
#include "hone/core/reflection_form.h"
#include "hone/core/run.h"

namespace hone::prompt {

struct Prompt {
  std::vector<core::Message> messages;
  core::PromptIdentity identity;

  bool operator==(const Prompt&) const = default;
};

// An output with the verdict it should get, for a judge to learn from. One of `passed` and `score`
// is there.
struct Example {
  std::string output;
  std::optional<bool> passed;
  std::optional<Score> score;
  std::string reason;

  bool operator==(const Example&) const = default;
};

// What a judge goes by. Empty parts are left out of the prompt.
struct Rubric {
  std::string text;                    // The user's words.
  std::string criteria;                // "clarity, tone"
  std::vector<Example> examples = {};  // In the order in which they are shown.

  bool operator==(const Rubric&) const = default;
};

// For the first attempt.
Prompt generate_prompt(const core::Run& run);

// For a verdict on `output`, which need not be in the run.
Prompt judge_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric);
// The same once more; `problem` says why the first reply could not be used, as half a sentence.
Prompt judge_again_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric,
                          const std::string& problem);

// The prompt of the task with what a person adds to it.
std::string with_guidance(const core::Task& task, const std::string& guidance);

// About the last attempt of `run`, which has one.
Prompt reflect_prompt(const core::Run& run);

// A form to reflect in.
struct ReflectionAsk {
  core::ReflectionForm form = core::ReflectionForm::Full;
  bool mars = false;        // Ask for a principle and a procedure too, if the cause is systemic.
  std::string instruction;  // In place of our own words about the form; empty for ours.

  bool operator==(const ReflectionAsk&) const = default;
};
// The same in this form, which is not that of a decision.
Prompt reflect_prompt(const core::Run& run, const ReflectionAsk& ask);
// The schema of its reply; absent where it is plain text.
std::optional<JsonText> reply_schema(const ReflectionAsk& ask);

// About a decision that was made for the task, as far as its maker says: asks for what is missing,
// and for a principle and a procedure if it is a significant one.
Prompt decision_prompt(const core::Task& task, const core::Reflection& said, bool significant);

}  // namespace hone::prompt
