// The product: read reflect() and attempts(), the rest is what they are made of.
#include "hone/core/loop.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/core/escalation.h"
#include "hone/core/judged.h"
#include "hone/core/round.h"

namespace hone::core {
namespace {

// An unknown that would be returned is asked again this often.
constexpr int kReevaluations = 3;

// Work between two awaits stands in functions that are not inlined: what a coroutine has on its
// stack it keeps as long as it waits, and thousands of runs may wait at once.

// Tells everybody, then adds the event to the run.
void happen(const Context& context, Run& run, Event event) {
  const Instant at = context.emit(event);
  apply(run, std::move(event), at);
}

[[gnu::noinline]] Run begin(const Context& context, Task task) {
  Run run;
  run.id = context.run;
  happen(context, run, RunStarted{std::move(task)});
  return run;
}

// Adds the evaluated output, which was made from `parent`, to the run and tells everybody.
void record(const Context& context, Run& run, Attempt attempt, std::optional<int> parent) {
  if (const Attempt* same = run.find_same(attempt.output)) {
    attempt.duplicate_of = same->duplicate_of.value_or(same->number);
  }
  attempt.parent = parent;
  if (parent) {
    std::vector<const Evaluation*> earlier;
    for (const Attempt& before : run.attempts) earlier.push_back(&before.evaluation);
    attempt.changes = compare_issues(run.attempt(*parent).evaluation, attempt.evaluation, earlier);
  }
  happen(context, run, Evaluated{std::move(attempt)});
  const Attempt& last = run.attempts.back();
  if (last.evaluation.outcome == Outcome::Passed) return;
  context.emit(Retracted{last.number, std::string(to_string(last.evaluation.outcome))});
}

std::optional<int> number_of_best(const Run& run) {
  const Attempt* best = run.find_best();
  return best == nullptr ? std::nullopt : std::optional(best->number);
}

[[gnu::noinline]] void take_verdict(const Context& context, Run& run, Output& output,
                                    Judged& verdict, Instant started) {
  Attempt attempt;
  attempt.evaluation = std::move(verdict.evaluation);
  attempt.number = run.next_number();
  attempt.started = started;
  attempt.output = std::move(output);
  attempt.usage = context.ledger->spent();
  record(context, run, std::move(attempt), number_of_best(run));
  if (verdict.ends_run) std::rethrow_exception(verdict.ends_run);
}

async<void> judge(Context context, Run& run, Evaluator& evaluator, Output output, Instant started) {
  Judged verdict = co_await judged(context.at("evaluate"), run, evaluator, output);
  take_verdict(context, run, output, verdict, started);
}

bool has_evaluated(const Run& run) {
  return std::ranges::any_of(run.attempts, [](const Attempt& attempt) {
    return attempt.evaluation.outcome != Outcome::Unknown;
  });
}

// The run as it was when `number` was judged.
Run before(const Run& run, int number) {
  Run earlier = run;
  earlier.attempts.resize(static_cast<std::size_t>(number - 1));
  return earlier;
}

// The attempt to ask about again: an unknown that is about to be returned over evaluated ones.
std::optional<int> open_question(const Run& run, const LoopOptions& options) {
  const Attempt& chosen = run.attempt(*select(run, options.selection));
  const bool open = chosen.evaluation.outcome == Outcome::Unknown &&
                    chosen.output.finish == Finish::Complete && has_evaluated(run);
  if (!open) return std::nullopt;
  return chosen.duplicate_of.value_or(chosen.number);
}

[[gnu::noinline]] void take_answer(const Context& context, Run& run, int number, Judged& verdict) {
  Reevaluated answer;
  answer.evaluation = std::move(verdict.evaluation);
  answer.attempt = number;
  answer.usage = context.ledger->spent();
  happen(context, run, std::move(answer));
}

async<void> settle_unknown(Context run_context, Run& run, Evaluator& evaluator,
                           const LoopOptions& options) {
  std::map<int, int> asked;
  while (const auto number = open_question(run, options)) {
    if (++asked[*number] > kReevaluations) co_return;
    Ledger scope(run_context.ledger);
    const Context attempt_context = context_of_attempt(run_context, *number, scope);
    const Context context = attempt_context.at("evaluate_again", asked[*number]);
    const auto earlier = std::make_unique<const Run>(before(run, *number));
    Judged verdict = co_await judged(context, *earlier, evaluator, run.attempt(*number).output);
    take_answer(context, run, *number, verdict);
    if (verdict.ends_run) co_return;
  }
}

[[gnu::noinline]] void take_reflection(const Context& context, Run& run, Reflection reflection,
                                       int number, const Ledger& scope) {
  Reflected reflected;
  reflected.reflection = std::move(reflection);
  reflected.attempt = number;
  reflected.usage = scope.spent();
  happen(context, run, std::move(reflected));
}

// `until` is the run up to the attempt to reflect on.
async<void> reflect_on_last(Context context, Run& run, const Run& until, Reflector& reflector) {
  Ledger scope(context.ledger);
  auto reflecting = reflector.reflect(context.counting_in(scope).at("reflect"), until);
  Reflection reflection = co_await std::move(reflecting);
  take_reflection(context, run, std::move(reflection), until.attempts.back().number, scope);
}

// Whether the rule has to wait for an attempt that is made in any case.
bool waits(const Stop& stop, const Run& run, const LoopOptions& options) {
  if (static_cast<int>(run.attempts.size()) >= options.makes_at_least) return false;
  if (stop.reason == StopReason::Passed) return options.makes_it_after_a_pass;
  return stop.reason != StopReason::Budget && stop.reason != StopReason::Deadline;
}

std::optional<Stop> decided(const Context& context, const Run& run, const LoopOptions& options) {
  if (auto stop = options.stop.decide(run, *context.ledger, context.deadline)) return stop;
  for (const StopRule& rule : options.own_stop_rules) {
    if (auto stop = rule(run)) return stop;
  }
  return std::nullopt;
}

std::optional<Stop> decide(const Context& context, const Run& run, const LoopOptions& options) {
  auto stop = decided(context, run, options);
  if (stop && waits(*stop, run, options)) stop.reset();
  return stop;
}

async<Output> next_output(Context context, const Run& run, Roles roles) {
  if (run.attempts.empty())
    co_return co_await roles.generator.generate(context.at("generate"), run);
  co_return co_await roles.reviser.revise(context.at("revise"), run);
}

// Each lesson once, however often the memory names it.
[[gnu::noinline]] void take_learned(const Context& context, Run& run,
                                    const std::vector<Lesson>& lessons) {
  for (const Lesson& lesson : lessons) {
    if (std::ranges::find(run.learned, lesson.id, &Lesson::id) != run.learned.end()) continue;
    happen(context, run, LessonLearned{lesson});
  }
}

// Whether the attempt that ended the run is worth a reflection although nothing follows it.
bool learns_from_end(const Stop& stop, Roles roles, const LoopOptions& options) {
  if (stop.reason == StopReason::Passed) return options.reflects_on_success;
  if (stop.reason == StopReason::Error) return false;
  return options.reflects_on_failure || (roles.escalation != nullptr && gave_up(stop));
}

async<void> learn(Context context, Run& run, Memory& memory) {
  const auto lessons = co_await memory.learn(context.at("learn"), run);
  take_learned(context, run, lessons);
}

async<void> reflect_and_learn(Context context, Run& run, const Run& until, Roles roles,
                              const LoopOptions& options) {
  co_await reflect_on_last(context, run, until, roles.reflector);
  if (options.learns_at_once) co_await learn(context, run, roles.memory);
}

[[gnu::noinline]] Instant start(const Context& context, int number) {
  return context.emit(AttemptStarted{number});
}

// One attempt from its output to its evaluation and, where the run goes on, its reflection.
async<void> attempt(Context run_context, Run& run, Roles roles, const LoopOptions& options) {
  const int number = run.next_number();
  Ledger scope(run_context.ledger);
  const Context context = context_of_attempt(run_context, number, scope);
  const Instant started = start(context, number);
  Output output = co_await next_output(context, run, roles);
  co_await judge(context, run, roles.evaluator, std::move(output), started);
  auto stop = decide(run_context, run, options);
  if (!stop || options.reflects_on_last) {
    co_await reflect_and_learn(context, run, run, roles, options);
  } else if (learns_from_end(*stop, roles, options)) {
    (void)co_await caught(reflect_and_learn(context, run, run, roles, options));
  }
  run.stop = std::move(stop);
}

// An identical output carries its original's evaluation, whoever was judged first.
void carry_evaluation(const Run& run, Attempt& attempt) {
  const Attempt* same = run.find_same(attempt.output);
  if (same == nullptr || attempt.output.finish != Finish::Complete) return;
  attempt.evaluation = same->evaluation;
  attempt.evaluation.usage = {};
}

// Records the candidates by number and returns what ended one of them. Those at the end that made
// no output leave no attempt.
[[gnu::noinline]] std::exception_ptr record(const Context& context, Run& run,
                                            std::vector<Candidate> round) {
  const std::optional<int> parent = number_of_best(run);
  std::exception_ptr failure;
  for (const Candidate& candidate : round) {
    if (!failure) failure = candidate.failure;
  }
  while (!round.empty() && !round.back().has_output()) round.pop_back();
  for (Candidate& candidate : round) {
    carry_evaluation(run, candidate.attempt);
    record(context, run, std::move(candidate.attempt), parent);
  }
  return failure;
}

// The run as it was right after the best of its attempts from `first` on.
Run until_best_from(const Run& run, int first) {
  Run round = run;
  round.attempts.erase(round.attempts.begin(), round.attempts.begin() + (first - 1));
  return before(run, round.find_best()->number + 1);
}

// Several attempts at once, each from the best before them; reflects on the best of them.
async<void> round(Context context, Run& run, Roles roles, const LoopOptions& options, int count) {
  const int first = run.next_number();
  auto candidates = co_await make_round(context, run, roles, count);
  const std::exception_ptr failure = record(context, run, std::move(candidates));
  auto stop = decide(context, run, options);
  const bool passed = stop && stop->reason == StopReason::Passed;
  if (failure && !passed) std::rethrow_exception(failure);
  const bool must_reflect = !stop || options.reflects_on_last;
  if (must_reflect || learns_from_end(*stop, roles, options)) {
    const auto until = std::make_unique<const Run>(until_best_from(run, first));
    const Context at_best = context.at("attempt", until->attempts.back().number);
    auto reflecting = reflect_and_learn(at_best, run, *until, roles, options);
    const auto problem = co_await caught(std::move(reflecting));
    if (problem && must_reflect) std::rethrow_exception(problem);
  }
  run.stop = std::move(stop);
}

// One attempt, or several at once.
async<void> next_attempts(Context context, Run& run, Roles roles, const LoopOptions& options) {
  const int left = options.stop.attempts - static_cast<int>(run.attempts.size());
  const int count = std::min(options.at_once, left);
  if (count > 1) return round(std::move(context), run, roles, options, count);
  return attempt(std::move(context), run, roles, options);
}

[[gnu::noinline]] void take_lessons(const Context& context, Run& run, std::vector<Lesson> lessons) {
  LessonsRecalled recalled;
  recalled.lessons = std::move(lessons);
  happen(context, run, std::move(recalled));
}

[[gnu::noinline]] void decide_again(const Context& context, Run& run, const LoopOptions& options) {
  run.stop = decide(context, run, options).value_or(*run.stop);
}

async<void> recall(Context context, Run& run, Memory& memory) {
  const int number = run.next_number();
  const Context place = number == 1 ? context : context.at("attempt", number);
  std::vector<Lesson> lessons = co_await memory.recall(place.at("recall"), run.task);
  take_lessons(context, run, std::move(lessons));
}

async<void> attempts(Context context, Run& run, Roles roles, const LoopOptions& options) {
  while (!run.stop) {
    if (run.attempts.empty() || options.learns_at_once) co_await recall(context, run, roles.memory);
    co_await next_attempts(context, run, roles, options);
  }
  co_await settle_unknown(context, run, roles.evaluator, options);
  decide_again(context, run, options);
  if (roles.escalation == nullptr || !gave_up(*run.stop)) co_return;
  co_await escalate(context, run, *roles.escalation, select(run, options.selection));
}

[[gnu::noinline]] void end_early(const Context& context, Run& run,
                                 const std::exception_ptr& failure) {
  context.emit(Retracted{run.next_number(), "the run ended before this was judged"});
  run.stop = stop_for(failure, context);
}

[[gnu::noinline]] void stop(const Context& context, Run& run, const LoopOptions& options) {
  happen(context, run, Stopped{*run.stop, select(run, options.selection)});
  if (const Attempt* chosen = run.find_selected()) {
    context.emit(Committed{chosen->number, chosen->output.text});
  }
}

[[gnu::noinline]] void finish(const Context& context, Run& run) {
  happen(context, run, RunFinished{context.ledger->spent()});
}

}  // namespace

async<Run> reflect(Context context, Task task, Roles roles, LoopOptions options) {
  Run run = begin(context, std::move(task));
  const std::exception_ptr failure = co_await caught(attempts(context, run, roles, options));
  if (!run.stop) end_early(context, run, failure);
  co_await shielded_from_cancellation();
  stop(context, run, options);
  co_await learn(context, run, roles.memory);
  finish(context, run);
  co_return run;
}

}  // namespace hone::core
