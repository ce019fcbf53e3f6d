#include "hone/core/evaluation.h"

#include <algorithm>
#include <array>

namespace hone::core {
namespace {

constexpr std::array<std::string_view, 3> kOutcomes{"failed", "unknown", "passed"};

struct Rank {
  int outcome;
  std::size_t passed_before_miss;
  double score;

  auto operator<=>(const Rank&) const = default;
};

Rank rank_of(const Evaluation& evaluation) {
  const auto miss = std::ranges::find_if(
      evaluation.checks, [](const CheckResult& check) { return check.outcome != Outcome::Passed; });
  Rank rank{static_cast<int>(evaluation.outcome),
            static_cast<std::size_t>(miss - evaluation.checks.begin()), 0.0};
  const auto& score = miss == evaluation.checks.end() ? evaluation.score : miss->score;
  if (score) rank.score = score->value();
  return rank;
}

}  // namespace

std::string_view to_string(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

std::optional<Outcome> outcome_from(std::string_view text) {
  const auto found = std::ranges::find(kOutcomes, text);
  if (found == kOutcomes.end()) return std::nullopt;
  return static_cast<Outcome>(found - kOutcomes.begin());
}

std::string_view to_string(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

Evaluation passed(Score score) {
  Evaluation evaluation;
  evaluation.outcome = Outcome::Passed;
  evaluation.score = score;
  evaluation.interval = Interval{score.value(), score.value()};
  return evaluation;
}

Evaluation failed(Score score, std::vector<Issue> issues) {
  Evaluation evaluation = passed(score);
  evaluation.outcome = Outcome::Failed;
  evaluation.issues = std::move(issues);
  return evaluation;
}

Evaluation unknown(std::string error) {
  Evaluation evaluation;
  evaluation.samples = 0;
  evaluation.error = std::move(error);
  return evaluation;
}

int compare(const Evaluation& left, const Evaluation& right) {
  const auto order = rank_of(left) <=> rank_of(right);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace hone::core
