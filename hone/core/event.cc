#include "hone/core/event.h"

#include <array>
#include <utility>

namespace hone::core {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Event>> kNames{
    "run_started", "lessons_recalled", "attempt_started", "draft",          "evaluated",
    "retracted",   "reflected",        "reevaluated",     "budget_warning", "lesson_learned",
    "stopped",     "committed",        "run_finished"};

Attempt& attempt_of(Run& run, int number) { return const_cast<Attempt&>(run.attempt(number)); }

// Adds each kind of event to a run.
class Folding {
 public:
  Folding(Run& run, Instant at) : run_(run), at_(at) {}

  void operator()(RunStarted&& event) {
    run_.task = std::move(event.task);
    run_.started = at_;
    run_.finished = at_;
  }
  void operator()(LessonsRecalled&& event) { run_.recalled = std::move(event.lessons); }
  void operator()(AttemptStarted&&) {}
  void operator()(Draft&&) {}
  void operator()(Evaluated&& event) {
    Attempt attempt = std::move(event.attempt);
    attempt.finished = at_;
    run_.usage += attempt.usage;
    run_.finished = at_;
    run_.attempts.push_back(std::move(attempt));
  }
  void operator()(Retracted&&) {}
  void operator()(Reflected&& event) {
    Attempt& attempt = attempt_of(run_, event.attempt);
    attempt.reflection = std::move(event.reflection);
    add_usage(attempt, event.usage);
  }
  void operator()(Reevaluated&& event) {
    Attempt& attempt = attempt_of(run_, event.attempt);
    attempt.evaluation = event.evaluation;
    add_usage(attempt, event.usage);
    for (Attempt& repeat : run_.attempts) {
      if (repeat.duplicate_of != event.attempt) continue;
      repeat.evaluation = event.evaluation;
      repeat.evaluation.usage = {};
    }
  }
  void operator()(BudgetWarning&&) {}
  void operator()(LessonLearned&& event) { run_.learned.push_back(std::move(event.lesson)); }
  void operator()(Stopped&& event) {
    run_.stop = std::move(event.stop);
    run_.selected = event.selected;
    run_.finished = at_;
  }
  void operator()(Committed&&) {}
  void operator()(RunFinished&& event) {
    run_.usage = event.usage;
    run_.finished = at_;
  }

 private:
  void add_usage(Attempt& attempt, const UsageByRole& usage) {
    attempt.usage += usage;
    run_.usage += usage;
    run_.finished = at_;
  }

  Run& run_;
  Instant at_;
};

}  // namespace

std::string_view name_of(const Event& event) { return kNames[event.index()]; }

void apply(Run& run, Event event, Instant at) { std::visit(Folding(run, at), std::move(event)); }

}  // namespace hone::core
