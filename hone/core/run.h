// One run of a task and everything it consists of. A Run is a value: the fold of its events.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/evaluation.h"
#include "hone/core/issues.h"
#include "hone/core/task.h"
#include "hone/core/usage.h"

namespace hone::core {

// How an output ended. Only a complete one is judged.
enum class Finish { Complete, Length, Interrupted };
std::string_view to_string(Finish finish);  // "complete", "length", "interrupted".
std::optional<Finish> finish_from(std::string_view text);

struct Output {
  std::string text;
  Finish finish = Finish::Complete;
  std::string model;  // Which model answered; empty if none did.
  std::string
      strategy;  // How a reviser made it ("regenerate", "full_rewrite"); empty for the first.

  bool operator==(const Output&) const = default;
};

// The structured verbal self-evaluation of one attempt. Fields that were not given are empty.
struct Reflection {
  std::string text;
  std::string what_happened;
  std::string what_went_wrong;
  std::string why;
  std::string do_differently;
  std::string rule;       // One sentence to follow next time: the candidate lesson.
  std::string principle;  // For systemic causes: a rule of wider use.
  std::string procedure;  // For what worked: the steps.

  bool operator==(const Reflection&) const = default;
};

// Advice from earlier runs.
struct Lesson {
  std::string id;
  std::string text;

  bool operator==(const Lesson&) const = default;
};

struct Attempt {
  int number = 0;  // From 1.
  Output output;
  Evaluation evaluation;
  std::optional<Reflection> reflection;
  std::optional<int> duplicate_of;  // The first attempt with the same text.
  std::optional<int> parent;        // The attempt it was revised from: the best of its time.
  Changes changes;                  // Its issues against those of its parent.
  UsageByRole usage;                // All calls made for this attempt.
  Instant started;
  Instant finished;

  bool operator==(const Attempt&) const = default;
};

enum class StopReason {
  Passed,
  MaxAttempts,
  Plateau,
  Oscillation,
  Diminishing,
  Stable,
  Duplicate,
  RepeatedIssues,
  Budget,
  Deadline,
  Cancelled,
  UserAccepted,
  Escalated,
  Error
};
std::string_view to_string(StopReason reason);  // "passed", "max_attempts", …
std::optional<StopReason> stop_reason_from(std::string_view text);

struct Stop {
  StopReason reason = StopReason::Error;
  std::string detail;     // The numbers that decided, or what failed: a sentence.
  std::string kind = {};  // Of the failure that ended the run ("unavailable"); empty for a rule.
  std::string hint = {};  // What to try about the failure.

  bool operator==(const Stop&) const = default;
};

struct Run {
  std::string id;
  Task task;
  std::vector<Lesson> recalled;
  std::vector<Attempt> attempts;  // By number; every one of them has been evaluated.
  std::optional<Stop> stop;
  std::optional<int> selected;  // Number of the attempt that is returned.
  std::vector<Lesson> learned;
  UsageByRole usage;  // All calls of the run.
  Instant started;
  Instant finished;

  // The attempt with this number; throws NotFound.
  const Attempt& attempt(int number) const;
  // The selected attempt, or null.
  const Attempt* find_selected() const;
  // The best evaluated attempt, ties to the earliest; null before the first.
  const Attempt* find_best() const;
  // The first attempt with this text that ended in the same way, or null.
  const Attempt* find_same(const Output& output) const;
  // Number of the attempt that would come next.
  int next_number() const { return static_cast<int>(attempts.size()) + 1; }
  bool accepted() const { return stop && stop->reason == StopReason::Passed; }

  bool operator==(const Run&) const = default;
};

}  // namespace hone::core
