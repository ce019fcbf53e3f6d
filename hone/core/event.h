// What happens in a run, as values. Folding the events of a run gives the Run back; a journal, a
// stream, a live view and a trace are all listeners of the same events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hone/core/run.h"

namespace hone::core {

struct RunStarted {
  Task task;
};
struct LessonsRecalled {
  std::vector<Lesson> lessons;
};
struct AttemptStarted {
  int number = 0;
};
// Text as it streams: a draft, never a result. Every draft ends in Committed or Retracted.
struct Draft {
  int attempt = 0;
  std::string text;
};
// The attempt with its evaluation; its finishing time is the event's.
struct Evaluated {
  Attempt attempt;
};
// What was drafted for this attempt is not the result: a broken stream, or a rejected attempt.
struct Retracted {
  int attempt = 0;
  std::string reason;
};
struct Reflected {
  int attempt = 0;
  Reflection reflection;
  UsageByRole usage;
};
// An unknown evaluation was asked for again; it holds for the repeats of the attempt too.
struct Reevaluated {
  int attempt = 0;
  Evaluation evaluation;
  UsageByRole usage;
};
struct BudgetWarning {
  std::string detail;
};
struct LessonLearned {
  Lesson lesson;
};
struct Stopped {
  Stop stop;
  std::optional<int> selected;
};
// The text of the attempt that is returned, whole.
struct Committed {
  int attempt = 0;
  std::string text;
};
struct RunFinished {
  UsageByRole usage;
};

using Event = std::variant<RunStarted, LessonsRecalled, AttemptStarted, Draft, Evaluated, Retracted,
                           Reflected, Reevaluated, BudgetWarning, LessonLearned, Stopped, Committed,
                           RunFinished>;

// "run_started", "lessons_recalled", …: the names CONTRACTS gives them in streams.
std::string_view name_of(const Event& event);

// Listens to the events of runs. Threads: called on the thread of the run's loop; an implementation
// that serves several loops locks.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // Takes the event that has just happened at `at`, and returns when it happened: `at`, or for a
  // run that is replayed the recorded time. Must not throw and must not block.
  virtual Instant emit(const std::string& run, const Event& event, Instant at) = 0;
  // Whether anybody looks at drafts: where nobody does, models need not stream.
  virtual bool wants_drafts() const { return true; }
};

// Listens to nothing.
class NoEvents final : public EventSink {
 public:
  Instant emit(const std::string&, const Event&, Instant at) override { return at; }
  bool wants_drafts() const override { return false; }
};

// Adds one event to a run. Events come in the order in which they were emitted.
void apply(Run& run, Event event, Instant at);

}  // namespace hone::core
