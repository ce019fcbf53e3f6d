// What TASK on the command line means, and what the flags make of it.
#pragma once

#include <string>

#include "apps/hone/flags.h"
#include "hone/task/task_file.h"

namespace hone::app {

// A file if it exists or ends in .yaml, .yml or .json; "-" reads the prompt from stdin; anything
// else with a space in it is the prompt itself. A single word is neither: throws InvalidInput.
task::TaskFile task_of(const std::string& argument);

// The task with the flags laid over it. `--schema` and `--judge` take the place of a check of their
// kind, `--check` and `--regex` are added. Throws InvalidInput for values that mean nothing.
task::TaskFile with_flags(task::TaskFile file, const Flags& flags);

// Adds the judge of a task that has no check. Returns whether it did: there is no outside evidence.
bool add_default_check(task::TaskFile& file);

}  // namespace hone::app
