// Names of runs.
#pragma once

#include <string>

#include "hone/base/units.h"
#include "hone/core/context.h"

namespace hone::journal {

// 16 characters of Crockford's base 32 in lower case: ten of milliseconds since 1970, then six of
// chance. Ids sort by time; a shell needs no quotes for them.
std::string new_run_id(Instant now, core::Random& random);

}  // namespace hone::journal
