#include "hone/core/selection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hone::core {
namespace {

constexpr std::array<std::string_view, 5> kNames{"highest_score", "latest", "first_satisfactory",
                                                 "weighted_recency", "first"};
constexpr double kRecency = 1.05;

int first_satisfactory(const Run& run) {
  const auto passed = std::ranges::find_if(run.attempts, [](const Attempt& attempt) {
    return attempt.evaluation.outcome == Outcome::Passed;
  });
  return passed == run.attempts.end() ? run.find_best()->number : passed->number;
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
  }
  return std::nullopt;
}

}  // namespace hone::core
