#include "hone/prompt/prompts.h"

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

void add_lessons(Values& values, const core::Run& run) {
  std::vector<std::string> lessons;
  std::vector<std::string_view> texts;
  for (const core::Lesson& lesson : run.recalled) {
    lessons.push_back(lesson.text);
    texts.push_back(lesson.text);
  }
  values.text("lessons_mark", mark_for("lessons", texts));
  values.texts("lessons", std::move(lessons));
}

// What the task says comes in place of our own words.
std::string system_text(const core::Run& run) {
  static const std::string ours = render("system", {});
  const std::string_view own = trim(run.task.system);
  if (own.empty()) return ours;
  return is_utf8(own) ? std::string(own) : to_utf8(own);
}

}  // namespace

Values values_of(const core::Run& run) {
  Values values;
  add_lessons(values, run);
  values.refer("task", run.task.prompt);
  return values;
}

Values values_of(const core::Run& run, const core::Output& output) {
  Values values = values_of(run);
  std::vector<std::string_view> texts{run.task.prompt, output.text};
  for (const core::Lesson& lesson : run.recalled) texts.push_back(lesson.text);
  values.text("mark", mark_for("output", texts));
  values.refer("output", output.text);
  return values;
}

std::string with_guidance(const core::Task& task, const std::string& guidance) {
  Values values;
  values.refer("task", task.prompt);
  values.refer("guidance", guidance);
  return render("guidance", values);
}

Prompt made(std::string_view name, const core::Run& run, const Values& values) {
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
  Values values = judge_values(run, output, rubric, verdict_line);
  values.refer("problem", problem);
  return made("judge_again", run, values);
}

namespace {

Values reflect_values(const core::Run& run) {
  HONE_CHECK(!run.attempts.empty());
  const core::Attempt& last = run.attempts.back();
  Values values = values_of(run, last.output);
  values.flag("accepted", last.evaluation.outcome == core::Outcome::Passed);
  values.flag("repeated", last.duplicate_of.has_value());
  values.texts("reasons", reasons(last));
  return values;
}

}  // namespace

Prompt reflect_prompt(const core::Run& run) { return made("reflect", run, reflect_values(run)); }

Prompt reflect_prompt(const core::Run& run, const ReflectionAsk& ask) {
  Values values = reflect_values(run);
  values.text("form", std::string(core::to_string(ask.form)));
  values.flag("mars", ask.mars);
  values.refer("instruction", trim(ask.instruction));
  return made("reflect_as", run, values);
}

std::optional<JsonText> reply_schema(const ReflectionAsk& ask) {
  using core::ReflectionForm;
  if (ask.form == ReflectionForm::Sentence || !trim(ask.instruction).empty()) return std::nullopt;
  if (ask.form == ReflectionForm::Full && ask.mars) return schema_named("reflection");
  return schema_named("reflection_" + std::string(core::to_string(ask.form)));
}

Prompt decision_prompt(const core::Task& task, const core::Reflection& said, bool significant) {
  core::Run run;
  run.task = task;
  Values values = values_of(run);
  values.refer("decision", said.rule);
  values.refer("alternatives", said.what_happened);
  values.refer("why", said.why);
  values.flag("mars", significant);
  return made("decide", run, values);
}

}  // namespace hone::prompt
