// When a run ends.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "hone/core/budget.h"
#include "hone/core/context.h"
#include "hone/core/run.h"
#include "hone/core/stop_when.h"

namespace hone::core {

// Rules are asked after each evaluation. In this order: an accepted attempt; an output that was
// broken off or that nobody could judge; the number of attempts; the rules of `when` in their own
// order; the budget; the deadline. The first that fires gives the reason.
struct StopRules {
  int attempts = 3;  // Outputs produced, at least 1.
  StopWhen when = {.duplicate = 2, .plateau = PlateauRule()};
  // An output that was broken off ends the run as an error, and is neither judged nor learned from;
  // without, the next attempt is made.
  bool interrupted = false;
  // So many attempts in a row that nobody could judge end the run as an error: without a verdict
  // the next one is blind. Absent: off.
  std::optional<int> unjudged = {};

  // Absent: go on. The budget's limits are those of `ledger`; `deadline` is that of the run.
  std::optional<Stop> decide(const Run& run, const Ledger& ledger, Deadline deadline) const;

  bool operator==(const StopRules&) const = default;
};

// The stop of a run that a failure ended. A provider's own time limit is an error; the deadline is
// that of the run.
Stop stop_for(std::exception_ptr failure, const Context& context);

}  // namespace hone::core
