// The four roles of a run, and memory. Each is plain code over effects.
//
// Threads: called on the run's loop thread; one object may serve many runs at once, so state of one
// run does not belong in members. Lifetime: `run` and `output` outlive the call. Errors:
// hone::Error; the loop turns a failure into a stop reason (an evaluator's into an unknown
// outcome).
#pragma once

#include <string>
#include <vector>

#include "hone/async/async.h"
#include "hone/core/context.h"
#include "hone/core/run.h"

namespace hone::core {

// Makes the first output. (By others: actor.)
class Generator {
 public:
  virtual ~Generator() = default;
  virtual async<Output> generate(Context context, const Run& run) = 0;
};

// Judges one complete output that is not in `run` yet.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual async<Evaluation> evaluate(Context context, const Run& run, const Output& output) = 0;
};

// Says in words what the last attempt of `run` teaches.
class Reflector {
 public:
  virtual ~Reflector() = default;
  virtual async<Reflection> reflect(Context context, const Run& run) = 0;
};

// Turns the best attempt of `run` and its reflections into the next output.
class Reviser {
 public:
  virtual ~Reviser() = default;
  virtual async<Output> revise(Context context, const Run& run) = 0;
};

// Lessons across runs.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual async<std::vector<Lesson>> recall(Context context, const Task& task) = 0;
  // What was stored; never loses the run, whatever happens to the store.
  virtual async<std::vector<Lesson>> learn(Context context, const Run& run) = 0;
};

// Recalls and learns nothing.
class NoMemory final : public Memory {
 public:
  async<std::vector<Lesson>> recall(Context, const Task&) override {
    co_return std::vector<Lesson>();
  }
  async<std::vector<Lesson>> learn(Context, const Run&) override {
    co_return std::vector<Lesson>();
  }
};

// Takes over from a run that gave up: a person, an orchestrator, a queue of tickets.
class Escalation {
 public:
  virtual ~Escalation() = default;
  // `run` has its stop, its selected attempt and a reflection on every attempt. Returns what came
  // of it, as half a sentence ("ticket 42"), or nothing. When it throws, nobody took over: the run
  // ends as it would have without, and says so.
  virtual async<std::string> escalate(Context context, const Run& run) = 0;
};

// References to roles that outlive the run.
struct Roles {
  Generator& generator;
  Evaluator& evaluator;
  Reflector& reflector;
  Reviser& reviser;
  Memory& memory;
  Escalation* escalation = nullptr;  // Null: a run that gives up just ends.
};

}  // namespace hone::core
