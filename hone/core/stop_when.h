// Rules that end a run before its attempts are used up, and how they combine.
#pragma once

#include <optional>
#include <vector>

#include "hone/core/run.h"

namespace hone::core {

// The last `attempts` attempts each failed to raise the best score so far by `gain`.
struct PlateauRule {
  int attempts = 2;
  double gain = 0.05;

  bool operator==(const PlateauRule&) const = default;
};

// The last `turns` changes of the score went up and down in turn, each by at least `swing`, and the
// attempts above did not rise by as much from one to the next.
struct OscillationRule {
  int turns = 3;
  double swing = 0.05;

  bool operator==(const OscillationRule&) const = default;
};

// The last `attempts` attempts each raised the best score so far, but by less than `gain`.
struct DiminishingRule {
  int attempts = 2;
  double gain = 0.05;

  bool operator==(const DiminishingRule&) const = default;
};

// The last `attempts` outputs were each at least so similar to the one before (see
// base/similarity.h).
struct StableRule {
  int attempts = 2;
  double similarity = 0.9;

  bool operator==(const StableRule&) const = default;
};

// Asked in the order in which they stand here; the first that fires gives the reason. Rules that
// were switched on come before the plateau, which is on by default. Absent: off.
struct StopWhen {
  std::optional<int> duplicate = {};  // Repeats in a row of any earlier output.
  std::optional<OscillationRule> oscillation = {};
  std::optional<DiminishingRule> diminishing = {};
  std::optional<StableRule> stable = {};
  std::optional<int> repeated_issues = {};  // Attempts in a row with the same issues, at least 2.
  std::optional<PlateauRule> plateau = {};
  std::vector<StopWhen> any = {};  // Fires when one of them does.
  std::vector<StopWhen> all = {};  // Fires when every one does, for the reason of the first.

  // The reason to end the run now, with the numbers that decided; absent: go on.
  std::optional<Stop> decide(const Run& run) const;

  bool operator==(const StopWhen&) const = default;
};

}  // namespace hone::core
