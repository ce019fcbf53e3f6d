// Where runs are kept.
#pragma once

#include <string>

#include "apps/hone/flags.h"

namespace hone::app {

// The path of --store, or $XDG_DATA_HOME/hone/store.db. Throws InvalidInput when neither is known.
std::string store_path(const Flags& flags);
// The same, whose folder exists. Throws Unavailable when it cannot be made.
std::string writable_store_path(const Flags& flags);

}  // namespace hone::app
