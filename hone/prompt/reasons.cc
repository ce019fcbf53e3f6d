#include "hone/prompt/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hone/base/text.h"
#include "hone/core/reflection_form.h"

namespace hone::prompt {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string bounded(std::string text) {
  if (text.size() <= kLongestReason) return text;
  std::size_t end = kLongestReason;
  while (end > 0 && is_continuation(text[end])) --end;
  return text.substr(0, end) + "…";
}

// The name of its check tells something where there are several.
std::string line_of(const core::Issue& issue, bool with_check) {
  std::string line;
  if (!issue.path.empty()) {
    line = issue.path + ": ";
  } else if (issue.line) {
    line = fmt::format("line {}: ", *issue.line);
  }
  line += bounded(std::string(trim(issue.message)));
  if (with_check && !issue.check.empty()) line += fmt::format(" (check `{}`)", issue.check);
  return line;
}

void add_new(std::vector<std::string>& lines, std::string line) {
  if (line.empty() || std::ranges::find(lines, line) != lines.end()) return;
  lines.push_back(std::move(line));
}

// Drops empty lines and repeats of earlier ones.
void keep_new(std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  for (std::string& line : lines) add_new(kept, std::move(line));
  lines = std::move(kept);
}

void limit(std::vector<std::string>& lines) {
  if (lines.size() <= kMostReasons) return;
  const std::size_t more = lines.size() - kMostReasons + 1;
  lines.resize(kMostReasons - 1);
  lines.push_back(fmt::format("and {} more", more));
}

bool has_several_checks(const core::Attempt& attempt) {
  return attempt.evaluation.checks.size() > 1;
}

// Everything there is to say about an attempt.
std::vector<std::string> all_reasons(const core::Attempt& attempt, bool with_checks) {
  std::vector<std::string> lines;
  const core::Evaluation& evaluation = attempt.evaluation;
  for (const core::Issue& issue : evaluation.issues) add_new(lines, line_of(issue, with_checks));
  for (const std::string& suggestion : evaluation.suggestions) {
    add_new(lines, bounded(std::string(trim(suggestion))));
  }
  if (evaluation.outcome == core::Outcome::Unknown && evaluation.error) {
    add_new(lines, bounded("not judged: " + *evaluation.error));
  }
  return lines;
}

std::string advice_of(const core::Reflection& reflection) {
  const std::string action(trim(reflection.do_differently));
  const std::string rule(trim(reflection.rule));
  if (action.empty()) return bounded(std::string(trim(reflection.text)));
  if (rule.empty() || rule == action) return bounded(action);
  return bounded(action + " " + rule);
}

// Drops the oldest lines until the rest fits.
void keep_newest(std::vector<std::string>& lines) {
  std::size_t total = 0;
  auto oldest = lines.end();
  while (oldest != lines.begin() && total + std::prev(oldest)->size() <= kLongestAdvice) {
    total += (--oldest)->size();
  }
  lines.erase(lines.begin(), oldest);
}

}  // namespace

std::vector<std::string> reasons(const core::Attempt& attempt) {
  std::vector<std::string> lines = all_reasons(attempt, has_several_checks(attempt));
  limit(lines);
  return lines;
}

std::string reason(const core::Issue& issue) { return line_of(issue, true); }

std::vector<std::string> later_reasons(const core::Run& run) {
  std::vector<std::string> lines;
  const core::Attempt* best = run.find_best();
  if (best == nullptr) return lines;
  const core::Attempt& last = run.attempts.back();
  const bool with_checks = has_several_checks(*best) || has_several_checks(last);
  const std::vector<std::string> known = all_reasons(*best, with_checks);
  for (std::string& line : all_reasons(last, with_checks)) {
    if (std::ranges::find(known, line) == known.end()) lines.push_back(std::move(line));
  }
  limit(lines);
  return lines;
}

bool is_regression(const core::Run& run) {
  const core::Attempt* best = run.find_best();
  if (best == nullptr || run.attempts.back().duplicate_of) return false;
  return core::compare(run.attempts.back().evaluation, best->evaluation) < 0;
}

namespace {

// Whether it became a lesson already, which is recalled where that is relevant.
bool is_learned(const core::Run& run, const core::Reflection& reflection) {
  const std::string sentence = core::sentence_of(reflection);
  return std::ranges::find(run.learned, sentence, &core::Lesson::text) != run.learned.end();
}

}  // namespace

std::vector<std::string> advice(const core::Run& run, std::optional<int> reflections) {
  std::vector<std::string> lines;
  int left = reflections.value_or(std::numeric_limits<int>::max());
  for (auto attempt = run.attempts.rbegin(); attempt != run.attempts.rend() && left > 0;
       ++attempt) {
    if (!attempt->reflection || is_learned(run, *attempt->reflection)) continue;
    lines.insert(lines.begin(), advice_of(*attempt->reflection));
    --left;
  }
  keep_new(lines);
  keep_newest(lines);
  return lines;
}

}  // namespace hone::prompt
