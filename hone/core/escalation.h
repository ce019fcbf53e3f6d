// What becomes of a run that gave up.
#pragma once

#include <optional>

#include "hone/core/roles.h"

namespace hone::core {

// Whether the run ended because its outputs were not good enough: by a rule, not by a budget, a
// deadline, a cancellation or an error.
bool gave_up(const Stop& stop);

// Hands the run, which gave up, to `escalation`: then it ends as escalated. When nobody took over,
// its stop stays and says so. A cancellation meanwhile is thrown and leaves it without a stop.
async<void> escalate(Context context, Run& run, Escalation& escalation,
                     std::optional<int> selected);

}  // namespace hone::core
