// hone run --each: one run for each line of a file, some at once.
#pragma once

#include <string>

#include "apps/hone/flags.h"

namespace hone::app {

// Prints one result a line, in the order of the rows, each as soon as its turn comes. Returns the
// exit code of the worst run: 1 (an error), 130 (interrupted), 3 (budget), 124 (deadline), 100 (not
// good enough), 0. Throws InvalidInput before anything runs when a row or the task is wrong.
int run_each(const std::string& argument, const Flags& flags);

}  // namespace hone::app
