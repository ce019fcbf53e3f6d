#include "hone/prompt/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"
#include "hone/prompt/labels.h"
#include "hone/prompt/verdict_json.h"

namespace hone::prompt {
namespace {

constexpr std::size_t kLongestReply = 64 * 1024;
constexpr std::string_view kNoVerdict = "it has no verdict in JSON";

void add_labels(Evidence& evidence, std::string_view prose) {
  Labels labels = labels_in(prose);
  evidence.flags.insert(evidence.flags.end(), labels.flags.begin(), labels.flags.end());
  evidence.scores.insert(evidence.scores.end(), labels.scores.begin(), labels.scores.end());
  if (labels.unreadable) evidence.problem = "a labelled value in it cannot be read";
  if (!evidence.stated) evidence.remarks.reason = std::move(labels.rest);
  evidence.stated = evidence.stated || labels.stated;
}

template <class Values>
bool disagree(const Values& values) {
  return std::ranges::adjacent_find(values, std::ranges::not_equal_to()) != values.end();
}

std::string problem_of(const Evidence& evidence) {
  if (!evidence.problem.empty()) return evidence.problem;
  if (!evidence.stated) return std::string(kNoVerdict);
  if (disagree(evidence.flags)) return "it says both that the output passes and that it fails";
  for (const double score : evidence.scores) {
    if (!Score::in_range(score)) return fmt::format("the score {} is not from 0 to 1", score);
  }
  if (disagree(evidence.scores)) {
    return fmt::format("it has different scores: {}", fmt::join(evidence.scores, ", "));
  }
  return {};
}

ReadVerdict verdict_of(Evidence evidence) {
  if (std::string problem = problem_of(evidence); !problem.empty()) {
    return Unreadable{std::move(problem)};
  }
  Verdict verdict = std::move(evidence.remarks);
  if (!evidence.flags.empty()) verdict.passed = evidence.flags.front();
  if (!evidence.scores.empty()) verdict.score = Score(evidence.scores.front());
  return verdict;
}

std::optional<std::string> contradiction(const Verdict& verdict, double threshold) {
  if (!verdict.passed || !verdict.score) return std::nullopt;
  const double score = verdict.score->value();
  const bool contradictory = *verdict.passed ? score < threshold / 2 : score >= threshold;
  if (!contradictory) return std::nullopt;
  return fmt::format("it says that the output {} and gives the score {} (passed from {})",
                     *verdict.passed ? "passes" : "fails", score, threshold);
}

std::vector<core::Issue> issues_of(const Verdict& verdict) {
  std::vector<core::Issue> issues = verdict.issues;
  const auto says = [&](const core::Issue& issue) { return issue.message == verdict.reason; };
  if (verdict.reason.empty() || std::ranges::any_of(issues, says)) return issues;
  core::Issue reason;
  reason.message = verdict.reason;
  issues.insert(issues.begin(), std::move(reason));
  return issues;
}

core::Evaluation rejected(const Verdict& verdict, Score score, const Ruling& ruling) {
  std::vector<core::Issue> issues = issues_of(verdict);
  if (issues.empty()) {
    issues.emplace_back();
    issues.back().message = fmt::format("rejected with score {} of at least {}", score.value(),
                                        ruling.threshold.value());
  }
  return core::failed(score, std::move(issues));
}

core::Evaluation accepted(const Verdict& verdict, Score score) {
  core::Evaluation evaluation = core::passed(score);
  evaluation.issues = verdict.issues;
  for (core::Issue& issue : evaluation.issues) issue.severity = core::Severity::Warning;
  return evaluation;
}

}  // namespace

ReadVerdict read_verdict(const Json& value) {
  if (!is_verdict(value)) return Unreadable{std::string(kNoVerdict)};
  Evidence evidence;
  add_object(evidence, value);
  return verdict_of(std::move(evidence));
}

ReadVerdict read_verdict(std::string_view reply) {
  if (reply.size() > kLongestReply) return Unreadable{"it is too long"};
  const auto text = without_thoughts(reply);
  if (!text) return Unreadable{std::string(kNoVerdict)};
  if (text->empty()) return Unreadable{"it is empty"};
  if (const auto whole = try_parse_json(*text)) return read_verdict(*whole);
  Evidence evidence;
  const std::string prose = add_objects(evidence, *text);
  add_labels(evidence, prose);
  return verdict_of(std::move(evidence));
}

std::variant<core::Evaluation, Unreadable> decide(const Verdict& verdict, const Ruling& ruling) {
  const double threshold = ruling.threshold.value();
  if (auto problem = contradiction(verdict, threshold)) return Unreadable{*std::move(problem)};
  const bool flag = verdict.passed.value_or(true);
  const Score score = verdict.score.value_or(Score(flag ? 1 : 0));
  const bool passes = flag && score.value() >= threshold;
  core::Evaluation evaluation =
      passes ? accepted(verdict, score) : rejected(verdict, score, ruling);
  evaluation.suggestions = verdict.suggestions;
  evaluation.confidence = verdict.confidence;
  for (core::Issue& issue : evaluation.issues) {
    issue.kind = "judge";
    issue.check = ruling.check;
  }
  return evaluation;
}

}  // namespace hone::prompt
