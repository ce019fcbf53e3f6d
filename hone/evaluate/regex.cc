#include "hone/evaluate/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kShownColumns = 120;

// What matching some patterns against one output has shown.
struct Findings {
  std::size_t found = 0;      // Of `must`.
  std::size_t forbidden = 0;  // Of `must_not`.
  std::vector<core::Issue> issues;
  std::optional<std::string> gave_up;
};

std::string shown(const Pattern& pattern) { return one_line(pattern.source(), kShownColumns); }

std::string gave_up_on(const Pattern& pattern) {
  return fmt::format(
      "the pattern `{}` takes too many steps on this output and was given up; write it without "
      "repetitions inside of repetitions",
      shown(pattern));
}

core::Issue missing(const Pattern& pattern) {
  core::Issue issue;
  issue.kind = "regex";
  issue.message = fmt::format("nothing in the output matches the pattern `{}`", shown(pattern));
  return issue;
}

core::Issue forbidden(const Pattern& pattern, const Pattern::Result& match, std::string_view text) {
  core::Issue issue;
  issue.kind = "regex";
  issue.line = static_cast<int>(std::ranges::count(text.substr(0, match.begin), '\n')) + 1;
  const auto found = text.substr(match.begin, match.end - match.begin);
  issue.message = fmt::format("`{}` matches the pattern `{}`, which is not allowed",
                              one_line(found, kShownColumns), shown(pattern));
  return issue;
}

void look_for(const Pattern& pattern, std::string_view text, Findings& findings) {
  const Pattern::Result match = pattern.find(text);
  if (match.answer == Pattern::Answer::Found) ++findings.found;
  if (match.answer == Pattern::Answer::Absent) findings.issues.push_back(missing(pattern));
  if (match.answer == Pattern::Answer::GaveUp) findings.gave_up = gave_up_on(pattern);
}

void look_out_for(const Pattern& pattern, std::string_view text, Findings& findings) {
  const Pattern::Result match = pattern.find(text);
  if (match.answer == Pattern::Answer::GaveUp) findings.gave_up = gave_up_on(pattern);
  if (match.answer != Pattern::Answer::Found) return;
  ++findings.forbidden;
  findings.issues.push_back(forbidden(pattern, match, text));
}

core::Evaluation evaluation_of(Findings findings, std::size_t required) {
  if (findings.issues.empty()) {
    return findings.gave_up ? core::unknown(*findings.gave_up) : core::passed();
  }
  const bool counts = findings.forbidden == 0 && required > 0;
  const auto found = static_cast<double>(findings.found);
  const Score score(counts ? found / static_cast<double>(required) : 0.0);
  return core::failed(score, std::move(findings.issues));
}

}  // namespace

RegexCheck::RegexCheck(const RegexRules& rules)
    : must_(rules.must.begin(), rules.must.end()),
      must_not_(rules.must_not.begin(), rules.must_not.end()) {
  if (!must_.empty() || !must_not_.empty()) return;
  throw Error(ErrorKind::InvalidInput, "the check `regex` has no pattern",
              "give `must`, `must_not` or both");
}

async<core::Evaluation> RegexCheck::evaluate(core::Context, const core::Run&,
                                             const core::Output& output) {
  const std::string text = to_utf8(output.text);
  Findings findings;
  for (const Pattern& pattern : must_) look_for(pattern, text, findings);
  for (const Pattern& pattern : must_not_) look_out_for(pattern, text, findings);
  co_return evaluation_of(std::move(findings), must_.size());
}

}  // namespace hone::evaluate
