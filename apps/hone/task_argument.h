// What TASK on the command line means, and what the flags make of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apps/hone/flags.h"
#include "hone/task/task_file.h"

namespace hone::app {

// A file if it exists or ends in .yaml, .yml or .json; "-" reads the prompt from stdin; anything
// else with a space in it is the prompt itself. A single word is neither: throws InvalidInput.
task::TaskFile task_of(const std::string& argument);

// The tasks of many rows; `argument` as above. A prompt in words is a template over `input` here.
task::TaskBatch batch_of(const std::string& argument, std::span<const task::InputRow> rows);

// The task with the configuration laid under it and the flags over it. `--schema` and `--judge`
// take the place of a check of their kind, `--check` and `--regex` are added. Throws InvalidInput
// for values that mean nothing.
task::TaskFile with_flags(task::TaskFile file, const Flags& flags);

// Reads one rule as --stop takes it: "duplicate=1", "plateau=false". Throws InvalidInput.
void add_stop_rule(core::StopRules& rules, std::string_view entry);

// The seed of the run: that of the flags, else that of the configuration.
std::optional<std::uint64_t> seed_of(const Flags& flags);

// Adds the judge of a task that has no check. Returns whether it did: there is no outside evidence.
bool add_default_check(task::TaskFile& file);

}  // namespace hone::app
