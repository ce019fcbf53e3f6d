// Which attempt a run returns.
#pragma once

#include <optional>
#include <string_view>

#include "hone/core/run.h"

namespace hone::core {

enum class Selection {
  HighestScore,       // The best evaluation, ties to the earliest.
  Latest,             // The last attempt.
  FirstSatisfactory,  // The earliest that passed; the best one if none did.
  WeightedRecency,  // The best score after each later attempt counts 5 % more; outcomes rank first.
  First,            // The first attempt, whatever the evaluations say.
  // The first attempt, unless the second passed and the first failed kEnoughDoubts tests and had a
  // score below kOddOneOut. For evaluations by tests that a model wrote itself
  // (docs/explain/returning-a-retry.md).
  FirstUnlessCorrected
};
std::string_view to_string(Selection selection);  // "highest_score", …
std::optional<Selection> selection_from(std::string_view text);

// From this share of passing tests on, the few others are more likely wrong than the output.
inline constexpr double kOddOneOut = 0.75;
// One test that fails may be the wrong one, however few there are.
inline constexpr int kEnoughDoubts = 2;
// Whether FirstUnlessCorrected could still choose an attempt that is not made yet.
bool may_be_corrected(const Run& run);

// The number of the selected attempt; absent when none was evaluated.
std::optional<int> select(const Run& run, Selection selection);

}  // namespace hone::core
