#include "hone/core/selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hone::core {
namespace {

constexpr std::array<std::string_view, 6> kNames{
    "highest_score",    "latest", "first_satisfactory",
    "weighted_recency", "first",  "first_unless_corrected"};
constexpr double kRecency = 1.05;

int first_satisfactory(const Run& run) {
  const auto passed = std::ranges::find_if(run.attempts, [](const Attempt& attempt) {
    return attempt.evaluation.outcome == Outcome::Passed;
  });
  return passed == run.attempts.end() ? run.find_best()->number : passed->number;
}

// An unknown first attempt says nothing against itself.
bool is_in_doubt(const Attempt& first) {
  const Evaluation& evaluation = first.evaluation;
  const double score = evaluation.score.value_or(Score(0.0)).value();
  const auto failed_tests = std::lround((1 - score) * evaluation.samples);
  return evaluation.outcome == Outcome::Failed && score < kOddOneOut &&
         failed_tests >= kEnoughDoubts;
}

int first_unless_corrected(const Run& run) {
  const bool corrected = run.attempts.size() > 1 && is_in_doubt(run.attempts[0]) &&
                         run.attempts[1].evaluation.outcome == Outcome::Passed;
  return corrected ? 2 : 1;
}

int weighted_recency(const Run& run) {
  const auto weight = [](const Attempt& attempt) {
    const auto score = attempt.evaluation.score;
    return std::pair(attempt.evaluation.outcome,
                     score ? score->value() * std::pow(kRecency, attempt.number) : 0.0);
  };
  return std::ranges::max_element(run.attempts, {}, weight)->number;
}

}  // namespace

std::string_view to_string(Selection selection) {
  return kNames[static_cast<std::size_t>(selection)];
}

std::optional<Selection> selection_from(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Selection>(found - kNames.begin());
}

bool may_be_corrected(const Run& run) {
  return run.attempts.empty() || (run.attempts.size() == 1 && is_in_doubt(run.attempts.front()));
}

std::optional<int> select(const Run& run, Selection selection) {
  if (run.attempts.empty()) return std::nullopt;
  switch (selection) {
    case Selection::HighestScore:
      return run.find_best()->number;
    case Selection::Latest:
      return run.attempts.back().number;
    case Selection::FirstSatisfactory:
      return first_satisfactory(run);
    case Selection::WeightedRecency:
      return weighted_recency(run);
    case Selection::First:
      return 1;
    case Selection::FirstUnlessCorrected:
      return first_unless_corrected(run);
  }
  return std::nullopt;
}

}  // namespace hone::core
