#include "hone/core/transcript.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hone/base/text.h"

namespace hone::core {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kLabel = 12;
constexpr std::size_t kTokens = 10;  // Room at the right for "12345 tok".

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("{:<{}}{}\n", label, kLabel, one_line(text, kColumns - kLabel));
}

// A word or number, two blanks, and as much of the remark as fits.
std::string line_of_two(std::string_view label, const std::string& head, std::string_view remark) {
  if (remark.empty()) return line(label, head);
  const std::size_t room = kColumns - kLabel - width(head) - 2;
  return fmt::format("{:<{}}{}  {}\n", label, kLabel, head, one_line(remark, room));
}

std::string numbered(std::string_view word, int number) {
  return fmt::format("{} {}", word, number);
}

std::string indented(std::string_view text) {
  std::string result;
  for (const std::string& each : split(text, '\n'))
    result += fmt::format("{:{}}{}\n", "", kLabel, each);
  return result;
}

std::string show_issue(const Issue& issue) {
  const std::string check = issue.check.empty() ? "" : issue.check + ": ";
  // Messages of schema checks name their place; others do not.
  const bool named = issue.path.empty() || issue.message.find(issue.path) != std::string::npos;
  const std::string place = named ? "" : issue.path + " ";
  const std::string at_line = issue.line ? fmt::format("line {}: ", *issue.line) : "";
  return check + place + at_line + issue.message;
}

std::string verdict(const Evaluation& evaluation) {
  const std::string outcome(to_string(evaluation.outcome));
  return evaluation.score ? fmt::format("{} {:.2f}", outcome, evaluation.score->value()) : outcome;
}

std::string first_remark(const Attempt& attempt) {
  if (attempt.duplicate_of)
    return fmt::format("as attempt {}, not judged again", *attempt.duplicate_of);
  if (attempt.evaluation.error) return *attempt.evaluation.error;
  if (attempt.evaluation.issues.empty()) return {};
  return show_issue(attempt.evaluation.issues.front());
}

std::string changes_line(const Changes& changes) {
  std::vector<std::string> parts;
  const auto list = [&parts](std::string_view word, const std::vector<std::string>& issues) {
    if (!issues.empty()) parts.push_back(fmt::format("{} {}", word, join(issues, ", ")));
  };
  list("new", changes.added);
  list("again", changes.resurfaced);
  return parts.empty() ? std::string() : line("", "breaks " + join(parts, "; "));
}

std::string lessons(std::string_view label, const std::vector<Lesson>& lessons) {
  if (lessons.empty()) return {};
  const std::string count =
      fmt::format("{} lesson{}", lessons.size(), lessons.size() == 1 ? "" : "s");
  return line_of_two(label, fmt::format("{:<10}", count), "\"" + lessons.front().text + "\"");
}

std::string attempt_lines(const Attempt& attempt, const TranscriptOptions& options) {
  std::string text = attempt_line(attempt);
  if (options.whole) text += indented(attempt.output.text);
  text += evaluation_lines(attempt);
  text += changes_line(attempt.changes);
  if (!attempt.reflection) return text;
  text += reflection_line(attempt);
  if (options.whole) text += indented(attempt.reflection->text);
  return text;
}

}  // namespace

std::string recall_line(const Run& run) { return lessons("recall", run.recalled); }

std::string attempt_line(const Attempt& attempt) {
  const std::size_t room = kColumns - kLabel - kTokens;
  const std::string text = one_line(attempt.output.text, room - 1);
  const Usage made = attempt.usage[Role::Generate] + attempt.usage[Role::Revise];
  std::string shown = fmt::format("{:<{}}{}", numbered("attempt", attempt.number), kLabel, text);
  if (made.calls > 0) {
    shown += std::string(room - std::min(room, width(text)), ' ');
    shown += fmt::format("{:>{}}", fmt::format("{} tok", made.output.count), kTokens);
  }
  return shown + "\n";
}

std::string evaluation_line(const Attempt& attempt) {
  return line_of_two(numbered("evaluate", attempt.number), verdict(attempt.evaluation),
                     first_remark(attempt));
}

std::string evaluation_lines(const Attempt& attempt) {
  std::string text = evaluation_line(attempt);
  if (attempt.duplicate_of) return text;
  const std::vector<Issue>& issues = attempt.evaluation.issues;
  // The line above shows an error instead of an issue, if there is one.
  const std::size_t shown = attempt.evaluation.error ? 0 : 1;
  for (std::size_t i = shown; i < issues.size(); ++i) text += line("", show_issue(issues[i]));
  return text;
}

std::string reflection_line(const Attempt& attempt) {
  if (!attempt.reflection) return {};
  const Reflection& reflection = *attempt.reflection;
  const std::string& telling = reflection.rule.empty() ? reflection.text : reflection.rule;
  return line(numbered("reflect", attempt.number), telling);
}

std::string stop_line(const Run& run) {
  if (!run.stop) return line("stop", "not reached");
  const std::string reason(to_string(run.stop->reason));
  std::string text = reason + ": " + run.stop->detail;
  if (run.accepted()) text = fmt::format("passed at attempt {}", run.selected.value_or(0));
  if (!run.accepted() && run.selected)
    text += fmt::format("; attempt {} is returned", *run.selected);
  return line("stop", text);
}

std::string transcript(const Run& run, const TranscriptOptions& options) {
  std::string text = line("task", run.task.prompt);
  if (options.whole) text += indented(run.task.prompt);
  text += recall_line(run);
  for (const Attempt& attempt : run.attempts) text += attempt_lines(attempt, options);
  text += stop_line(run);
  return text + lessons("learn", run.learned);
}

}  // namespace hone::core
