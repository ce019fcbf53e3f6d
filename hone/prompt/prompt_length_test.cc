// How long the prompts of a whole run are, and how much of them providers have read before.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "hone/base/text.h"
#include "hone/prompt/prompts.h"
#include "hone/prompt/revision.h"
#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

using Revision = std::function<Prompt(const core::Run&)>;

// Three attempts with answers of 500 characters to a task of 320; judge and reflector reply in one
// short sentence each.
std::vector<std::string> prompts_of_a_run(const Revision& revise) {
  core::Run run;
  run.task.prompt = std::string(320, 't');
  const Rubric rubric{std::string(30, 'r'), ""};
  std::vector<std::string> prompts{joined(generate_prompt(run))};
  for (int number = 1; number <= 3; ++number) {
    const auto letter = static_cast<char>('a' + number);
    const core::Output output{.text = std::string(500, letter)};
    prompts.push_back(joined(judge_prompt(run, output, rubric)));
    if (number == 3) break;
    const core::Issue issue = issue_of("judge", "", std::string(50, letter));
    run.attempts.push_back(attempt_of(number, output.text, core::failed(Score(0.4), {issue})));
    prompts.push_back(joined(reflect_prompt(run)));
    run.attempts.back().reflection.emplace();
    run.attempts.back().reflection->text = std::string(60, letter);
    prompts.push_back(joined(revise(run)));
  }
  return prompts;
}

struct Length {
  std::size_t characters = 0;
  double repeated = 0;  // The share that repeats the start of an earlier prompt.
};

std::size_t longest_common_start(const std::vector<std::string>& prompts, std::size_t number) {
  std::size_t longest = 0;
  for (std::size_t earlier = 0; earlier < number; ++earlier) {
    const auto different = std::ranges::mismatch(prompts[earlier], prompts[number]);
    const auto common = static_cast<std::size_t>(different.in1 - prompts[earlier].begin());
    longest = std::max(longest, common);
  }
  return longest;
}

Length length_of(const Revision& revise) {
  const std::vector<std::string> prompts = prompts_of_a_run(revise);
  std::size_t all = 0;
  std::size_t repeated = 0;
  Length length;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    length.characters += width(prompts[i]);
    all += prompts[i].size();
    repeated += longest_common_start(prompts, i);
  }
  length.repeated = static_cast<double>(repeated) / static_cast<double>(all);
  return length;
}

struct Case {
  const char* name;
  Revision revise;
  std::size_t most_characters;
  double least_repeated;
};

// Regenerate shows no attempt again: its runs are the shortest and repeat less.
TEST(PromptLength, MostOfARunRepeatsTheStartOfAnEarlierPrompt) {
  const std::vector<Case> cases{
      {"regenerate", [](const core::Run& run) { return regenerate_prompt(run); }, 6900, 0.53},
      {"full_rewrite", [](const core::Run& run) { return full_rewrite_prompt(run); }, 8100, 0.58},
      {"targeted_edit", [](const core::Run& run) { return targeted_edit_prompt(run); }, 8450, 0.57},
      {"incremental",
       [](const core::Run& run) {
         return targeted_edit_prompt(run, {.only = run.attempts[0].evaluation.issues[0]});
       },
       8450, 0.57}};
  for (const Case& one : cases) {
    const Length length = length_of(one.revise);
    EXPECT_LE(length.characters, one.most_characters) << one.name;
    EXPECT_GE(length.repeated, one.least_repeated) << one.name;
    RecordProperty(std::string(one.name) + "_characters", static_cast<int>(length.characters));
    RecordProperty(std::string(one.name) + "_percent", static_cast<int>(100 * length.repeated));
  }
}

}  // namespace
}  // namespace hone::prompt
