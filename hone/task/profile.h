// Named sets of options that reproduce how a known system behaves.
#pragma once

#include <string_view>

#include "hone/task/task_file.h"

namespace hone::task {

// Sets what the file does not say itself. "default" sets nothing. "paper" is the programming loop
// of the Reflexion paper (github.com/noahshinn/reflexion): five implementations at most, no other
// stop rule than a pass, temperature 0, the last one is returned; a revision sees the code, the
// feedback of its tests and the newest reflection, and no older one. Returns false for a name that
// is not known.
bool apply_profile(TaskFile& file, std::string_view name);

}  // namespace hone::task
