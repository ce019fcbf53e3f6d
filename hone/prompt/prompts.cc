#include "hone/prompt/prompts.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/judging.h"
#include "hone/prompt/marks.h"
#include "hone/prompt/parts.h"
#include "hone/prompt/reasons.h"
#include "hone/prompt/templates.h"

namespace hone::prompt {
namespace {

void add_lessons(Json& values, const core::Run& run) {
  Json lessons = Json::array();
  std::vector<std::string_view> texts;
  for (const core::Lesson& lesson : run.recalled) {
    lessons.push_back(lesson.text);
    texts.push_back(lesson.text);
  }
  values["lessons"] = std::move(lessons);
  values["lessons_mark"] = mark_for("lessons", texts);
}

std::string system_text(const core::Run& run) {
  Json values = Json::object();
  values["system"] = std::string(trim(run.task.system));
  return render("system", values);
}

}  // namespace

Json values_of(const core::Run& run) {
  Json values = Json::object();
  add_lessons(values, run);
  values["task"] = run.task.prompt;
  return values;
}

Json values_of(const core::Run& run, const core::Output& output) {
  Json values = values_of(run);
  std::vector<std::string_view> texts{run.task.prompt, output.text};
  for (const core::Lesson& lesson : run.recalled) texts.push_back(lesson.text);
  values["mark"] = mark_for("output", texts);
  values["output"] = output.text;
  return values;
}

std::string with_guidance(const core::Task& task, const std::string& guidance) {
  Json values = Json::object();
  values["task"] = task.prompt;
  values["guidance"] = guidance;
  return render("guidance", values);
}

Prompt made(std::string_view name, const core::Run& run, const Json& values) {
  Prompt prompt;
  prompt.messages.push_back({core::Speaker::System, system_text(run)});
  prompt.messages.push_back({core::Speaker::User, render(name, values)});
  prompt.identity = identity_of(name);
  return prompt;
}

Prompt generate_prompt(const core::Run& run) { return made("generate", run, values_of(run)); }

Prompt judge_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric) {
  return made("judge", run, judge_values(run, output, rubric, verdict_line));
}

Prompt judge_again_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric,
                          const std::string& problem) {
  Json values = judge_values(run, output, rubric, verdict_line);
  values["problem"] = problem;
  return made("judge_again", run, values);
}

Prompt reflect_prompt(const core::Run& run) {
  HONE_CHECK(!run.attempts.empty());
  const core::Attempt& last = run.attempts.back();
  Json values = values_of(run, last.output);
  values["accepted"] = last.evaluation.outcome == core::Outcome::Passed;
  values["repeated"] = last.duplicate_of.has_value();
  values["reasons"] = reasons(last);
  return made("reflect", run, values);
}

}  // namespace hone::prompt
