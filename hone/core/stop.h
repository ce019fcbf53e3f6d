// When a run ends.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "hone/core/budget.h"
#include "hone/core/context.h"
#include "hone/core/run.h"

namespace hone::core {

// The last `attempts` attempts each failed to raise the best score so far by `gain`.
struct PlateauRule {
  int attempts = 2;
  double gain = 0.05;

  bool operator==(const PlateauRule&) const = default;
};

// Rules are asked after each evaluation, in the order in which they stand here; the first that
// fires gives the reason. An accepted attempt always ends the run.
struct StopRules {
  int attempts = 3;  // Outputs produced, at least 1.
  std::optional<PlateauRule> plateau = PlateauRule{};
  std::optional<int> duplicate = 2;  // Repeats in a row of any earlier output.

  // Absent: go on. The budget's limits are those of `ledger`; `deadline` is that of the run.
  std::optional<Stop> decide(const Run& run, const Ledger& ledger, Deadline deadline) const;

  bool operator==(const StopRules&) const = default;
};

// The stop of a run that a failure ended. A provider's own time limit is an error; the deadline is
// that of the run.
Stop stop_for(std::exception_ptr failure, const Context& context);

}  // namespace hone::core
