// The loop: attempts until an evaluator is convinced.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hone/core/roles.h"
#include "hone/core/selection.h"
#include "hone/core/stop.h"

namespace hone::core {

// A rule of the program's own: the reason to end the run now; absent: go on. It depends on the run
// alone, so that a replay decides the same.
using StopRule = std::function<std::optional<Stop>(const Run&)>;

struct LoopOptions {
  StopRules stop;
  std::vector<StopRule> own_stop_rules = {};  // Asked in this order, after those of `stop`.
  Selection selection = Selection::HighestScore;
  bool reflects_on_last = false;  // Reflect on the attempt that ended the run too.
  // The same unless it passed: a run that gives up learns from its last attempt as well. When this
  // reflection fails, the run ends as it would have without.
  bool reflects_on_failure = false;
  bool reflects_on_success = false;  // The same after a pass: what worked can be done again.
  // Lessons are learned right after each reflection and recalled anew before each attempt, instead
  // of once at the end and once at the start.
  bool learns_at_once = false;
  // Attempts made at once, as a round, of which the first that passes cancels the others. More cost
  // more and save time; one at a time learns from each.
  int at_once = 1;
  // A run that goes on from kept attempts of another one makes attempt number `makes_at_least`: no
  // rule but the limits of the budget ends it before; a pass among the kept ones neither, if
  // `makes_it_after_a_pass`.
  int makes_at_least = 0;
  bool makes_it_after_a_pass = false;
};

// Runs `task` to its end and returns the run with its selected attempt. Failures of roles end the
// run with a stop reason; only a cancellation that came before the start is thrown. A run that
// gives up is handed to the roles' escalation, if there is one, after a reflection on its last
// attempt.
async<Run> reflect(Context context, Task task, Roles roles, LoopOptions options);

}  // namespace hone::core
