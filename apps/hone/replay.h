// Plays a recorded run without a call.
#pragma once

#include "hone/core/run.h"
#include "hone/journal/recording.h"
#include "hone/task/task_file.h"

namespace hone::app {

struct Replay {
  journal::RecordedRun recorded;
  task::TaskFile file;  // The recorded task, or what it would be now.
  journal::Match match = journal::Match::Request;
};

// Throws where the run does not go as recorded (see journal::Recording).
core::Run play(const Replay& replay);

}  // namespace hone::app
