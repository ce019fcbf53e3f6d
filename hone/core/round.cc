#include "hone/core/round.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/async/group.h"
#include "hone/base/error.h"
#include "hone/core/judged.h"

namespace hone::core {
namespace {

// Thrown by the attempt that passed, to end its round.
struct RoundWon {};

async<void> make(Context context, const Run& run, Roles roles, Attempt& attempt) {
  if (run.attempts.empty()) {
    attempt.output = co_await roles.generator.generate(context.at("generate"), run);
  } else {
    attempt.output = co_await roles.reviser.revise(context.at("revise"), run);
  }
  Judged verdict = co_await judged(context.at("evaluate"), run, roles.evaluator, attempt.output);
  attempt.evaluation = std::move(verdict.evaluation);
  if (verdict.ends_run) std::rethrow_exception(verdict.ends_run);
}

async<void> compete(Context run_context, const Run& run, Roles roles, Candidate& candidate) {
  co_await pending_cancellation_waits(true);
  Ledger scope(run_context.ledger);
  const Context context = context_of_attempt(run_context, candidate.attempt.number, scope);
  candidate.failure = co_await caught(make(context, run, roles, candidate.attempt));
  candidate.attempt.usage = scope.spent();
  const bool passed = candidate.attempt.evaluation.outcome == Outcome::Passed;
  if (!candidate.failure && passed) throw RoundWon();
}

bool was_cancelled(const Candidate& candidate) {
  return candidate.failure && to_error(candidate.failure).kind() == ErrorKind::Cancelled;
}

// A verdict holds for every identical output of the round, also for one whose own did not come.
void share_verdicts(std::vector<Candidate>& candidates) {
  for (Candidate& open : candidates) {
    if (!open.failure || open.attempt.output.finish != Finish::Complete) continue;
    const auto same = std::ranges::find_if(candidates, [&](const Candidate& other) {
      return !other.failure && other.attempt.output.finish == Finish::Complete &&
             other.attempt.output.text == open.attempt.output.text;
    });
    if (same == candidates.end()) continue;
    open.attempt.evaluation = same->attempt.evaluation;
    open.attempt.evaluation.usage = {};
  }
}

// Says what ended each candidate that did not come to its end.
void explain(std::vector<Candidate>& candidates) {
  const auto winner = std::ranges::find_if(candidates, [](const Candidate& candidate) {
    return !candidate.failure && candidate.attempt.evaluation.outcome == Outcome::Passed;
  });
  for (Candidate& candidate : candidates) {
    if (!candidate.failure) continue;
    const bool lost = was_cancelled(candidate) && winner != candidates.end();
    const std::string why =
        lost ? fmt::format("cancelled, since attempt {} passed", winner->attempt.number)
             : to_error(candidate.failure).message();
    Evaluation& evaluation = candidate.attempt.evaluation;
    if (evaluation.outcome == Outcome::Unknown) evaluation = unknown(why);
    if (lost) candidate.failure = nullptr;
  }
}

}  // namespace

Context context_of_attempt(const Context& run_context, int number, Ledger& scope) {
  Context context = run_context.at("attempt", number).counting_in(scope);
  context.attempt = number;
  return context;
}

async<std::vector<Candidate>> make_round(Context run_context, const Run& run, Roles roles,
                                         int count) {
  std::vector<Candidate> candidates(static_cast<std::size_t>(count));
  for (Candidate& candidate : candidates) {
    candidate.attempt.number = run.next_number() + static_cast<int>(&candidate - candidates.data());
    candidate.attempt.output.finish = Finish::Interrupted;
    candidate.attempt.started = run_context.emit(AttemptStarted{candidate.attempt.number});
  }
  const auto start = [&](std::size_t i) { return compete(run_context, run, roles, candidates[i]); };
  auto all = for_each_index(candidates.size(), candidates.size(), start);
  co_await caught(std::move(all));
  share_verdicts(candidates);
  explain(candidates);
  co_return candidates;
}

}  // namespace hone::core
