// Named sets of options that reproduce how a known system behaves.
#pragma once

#include <string_view>

#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// The Reflexion protocol (docs/explain/lessons.md has its table): three retries, each of which is
// shown all reflections of the run, whose form is chosen by the outcome; the newest relevant
// lessons by task type, tool and time. Ends by no other rule than a pass and the number of retries.
struct ProtocolOptions {
  int retries = 3;      // After the first attempt, from 0.
  int reflections = 3;  // Of earlier runs, shown at the start, from 0.
};
// Throws InvalidInput for a number that is out of range.
void check(const ProtocolOptions& options);
void apply(TaskFile& file, const ProtocolOptions& options);

// Sets what the file does not say itself. "default" sets nothing; "protocol" and "loomflow" are
// ProtocolOptions and LoomflowOptions (loomflow.h) as they are. "paper" is the programming loop
// of the Reflexion paper (github.com/noahshinn/reflexion): five implementations at most, no other
// stop rule than a pass, temperature 0, the last one is returned; a revision sees the code, the
// feedback of its tests and the newest reflection, and no older one. Returns false for a name that
// is not known.
bool apply_profile(TaskFile& file, std::string_view name);

// Applies what `profile:` says: a name, or a mapping from it to its parameters. Throws InvalidInput
// at the place of what is wrong.
void read_profile(TaskFile& file, const yaml::Field& field);

// Ends a run by nothing but a pass and the number of attempts, unless the file has rules.
void set_plain_stop(TaskFile& file, int attempts);

}  // namespace hone::task
