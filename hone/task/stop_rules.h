// Reads and writes the key `stop:` of a task file.
#pragma once

#include "hone/base/json.h"
#include "hone/core/stop.h"
#include "hone/yaml/field.h"

namespace hone::task {

// Sets what the mapping names and leaves the other rules alone. `true` is a rule with its defaults,
// a whole number its attempts (or turns), false or null switches it off. `any` and `all` hold lists
// of such mappings, in which nothing is on by default.
void read_stop(core::StopRules& rules, const yaml::Field& field);

// What read_stop reads as the same rules.
Json to_json(const core::StopRules& rules);

}  // namespace hone::task
