// Runs that begin where a recorded one stood: forks, and replays that go on live.
#pragma once

#include "apps/hone/flags.h"
#include "apps/hone/run_options.h"
#include "hone/journal/record.h"
#include "hone/task/task_file.h"

namespace CLI {
class App;
}

namespace hone::app {

// The flags that change the task of a recorded run. What is not given stays as recorded: neither
// the environment nor configuration files have a say in it.
void add_change_flags(CLI::App& command, Flags& flags);

// The recorded task with the flags over it. A model that is given is for those that write and
// reflect: a judge stays who it was, unless it is named.
task::TaskFile changed_task(task::TaskFile file, Flags flags);

struct Branch {
  journal::RecordedRun original;
  task::TaskFile file;
  ForkOrigin origin;
};
// Plays the branch, recorded as a run of its own, in the folder of the original. Returns the exit
// code.
int play_branch(Branch branch, const Flags& flags);

}  // namespace hone::app
