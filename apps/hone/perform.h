// Plays one live run before the user: progress on stderr, the result on stdout, the exit code.
#pragma once

#include "apps/hone/flags.h"
#include "apps/hone/live_run.h"

namespace hone::app {

// Returns the exit code. Ctrl-C ends the run, which keeps what it has.
int perform(LiveRun& live, const Flags& flags);

// Adds the judge of a task without a check, and says on stderr that this is no outside evidence.
void add_default_check_aloud(task::TaskFile& file, const Flags& flags);

}  // namespace hone::app
