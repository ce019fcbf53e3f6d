// loomflow's Reflexion class (github.com/Anurich/LoomFlow) as a profile: its parameters, its
// prompts' meaning and its events, on hone's loop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/core/event.h"
#include "hone/task/task_file.h"

namespace hone::task {

// Under the names and with the defaults of the class; what the class gets wrong is not reproduced
// (docs/explain/lessons.md).
struct LoomflowOptions {
  int max_attempts = 3;          // At least 1.
  double threshold = 0.8;        // Score from which an attempt passes, in [0, 1].
  std::string evaluator_prompt;  // What the judge of a task without checks goes by. Empty: a scale.
  std::string reflector_prompt;  // What a reflector is asked for. Empty: one sentence.
  // In block mode the agent whose lessons they are, unless the file names one.
  std::string lessons_block_name = "reflexion_lessons";
  // Selective recall: the best `top_k_lessons` by similarity. False: block mode, every lesson of
  // the task. There is always a store here, and so it is the default.
  bool lesson_store = true;
  int top_k_lessons = 5;        // At least 1, in block mode too.
  std::string evaluator_model;  // Specs of models; empty for that of the task.
  std::string reflector_model;
};

// Throws InvalidInput in the words of the class: "max_attempts must be >= 1".
void check(const LoomflowOptions& options);
void apply(TaskFile& file, const LoomflowOptions& options);

// One of the seven events: attempt_started, lessons_recalled, evaluated, threshold_met,
// max_attempts_reached, lesson_produced and lesson_persisted, each behind "reflexion.".
struct LoomflowEvent {
  std::string name;
  JsonText fields;

  bool operator==(const LoomflowEvent&) const = default;
};

// Names the events of one run. A score is null where the judge could not tell.
class LoomflowEvents {
 public:
  explicit LoomflowEvents(const TaskFile& file);

  // What the class tells when this happens: none, one or two.
  std::vector<LoomflowEvent> told_of(const core::Event& event);

 private:
  std::vector<LoomflowEvent> evaluated(const core::Attempt& attempt) const;

  int max_attempts_;
  std::string target_;  // Where lessons go, as the class calls it.
  bool is_selective_;
  std::size_t recalled_ = 0;
  int reflected_ = 0;
};

}  // namespace hone::task
