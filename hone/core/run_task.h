// The loop as one call, for programs that have no event loop of their own.
#pragma once

#include <functional>
#include <string>

#include "hone/core/loop.h"

namespace hone::core {

// The roles as functions. They may block: nothing else runs on the thread.
struct Functions {
  std::function<Output(const Run&)> generate;
  std::function<Evaluation(const Run&, const Output&)> evaluate;
  std::function<Reflection(const Run&)> reflect = {};  // Absent: reflections are empty.
  std::function<Output(const Run&)> revise = {};       // Absent: `generate` makes all outputs.
  // Takes over from a run that gave up, and says what came of it in half a sentence (Escalation).
  std::function<std::string(const Run&)> escalate = {};
};

// Runs `task` to its end on the calling thread, by the system's clock and recorded nowhere.
// Failures of roles end the run with a stop reason; throws InvalidInput when `generate` or
// `evaluate` is missing.
Run run_task(Task task, Functions functions, LoopOptions options = {}, Budget budget = {});
// The same with roles of any kind.
Run run_task(Task task, Roles roles, LoopOptions options = {}, Budget budget = {});

}  // namespace hone::core
