#include "hone/core/stop.h"

#include <fmt/format.h>

#include <algorithm>

#include "hone/base/error.h"

namespace hone::core {
namespace {

std::optional<Stop> passed(const Run& run) {
  const auto found = std::ranges::find_if(run.attempts, [](const Attempt& attempt) {
    return attempt.evaluation.outcome == Outcome::Passed;
  });
  if (found == run.attempts.end()) return std::nullopt;
  return Stop{StopReason::Passed, fmt::format("attempt {} passed", found->number)};
}

std::optional<Stop> broken_off(const Run& run) {
  const Attempt& last = run.attempts.back();
  if (last.output.finish != Finish::Interrupted) return std::nullopt;
  return Stop{.reason = StopReason::Error,
              .detail = fmt::format("the output of attempt {} was broken off", last.number),
              .kind = std::string(to_string(ErrorKind::Unavailable)),
              .hint = "run it again; more tokens or time may help"};
}

std::optional<Stop> no_verdict(const Run& run, int limit) {
  const auto end = std::ranges::find_if(
      run.attempts.rbegin(), run.attempts.rend(),
      [](const Attempt& attempt) { return attempt.evaluation.outcome != Outcome::Unknown; });
  const auto count = static_cast<int>(end - run.attempts.rbegin());
  if (count < limit) return std::nullopt;
  const Attempt& last = run.attempts.back();
  return Stop{.reason = StopReason::Error,
              .detail = fmt::format("attempt {} could not be judged: {}", last.number,
                                    last.evaluation.error.value_or("nobody said why")),
              .kind = std::string(to_string(ErrorKind::Unavailable)),
              .hint = "try another --judge-model, or a check that needs no model"};
}

std::optional<Stop> max_attempts(const Run& run, int limit) {
  const auto made = static_cast<int>(run.attempts.size());
  if (made < limit) return std::nullopt;
  return Stop{StopReason::MaxAttempts, fmt::format("{} of {} attempts were made", made, limit)};
}

std::optional<Stop> deadline_passed(const Run& run, Deadline deadline) {
  if (!deadline || run.finished < *deadline) return std::nullopt;
  return Stop{StopReason::Deadline,
              fmt::format("{} have passed", show_duration(run.finished - run.started))};
}

}  // namespace

std::optional<Stop> StopRules::decide(const Run& run, const Ledger& ledger,
                                      Deadline deadline) const {
  if (auto stop = passed(run)) return stop;
  if (interrupted) {
    if (auto stop = broken_off(run)) return stop;
  }
  if (unjudged) {
    if (auto stop = no_verdict(run, *unjudged)) return stop;
  }
  if (auto stop = max_attempts(run, attempts)) return stop;
  if (auto stop = when.decide(run)) return stop;
  if (auto reason = ledger.exhausted()) return Stop{StopReason::Budget, *reason};
  return deadline_passed(run, deadline);
}

Stop stop_for(std::exception_ptr failure, const Context& context) {
  const Error error = to_error(std::move(failure));
  Stop stop{StopReason::Error, error.message(), std::string(to_string(error.kind())), error.hint()};
  if (error.kind() == ErrorKind::BudgetExhausted) stop.reason = StopReason::Budget;
  const bool late = context.deadline && context.clock->now() >= *context.deadline;
  if (error.kind() == ErrorKind::DeadlineExceeded && late) stop.reason = StopReason::Deadline;
  if (error.kind() == ErrorKind::Cancelled) stop.reason = StopReason::Cancelled;
  return stop;
}

}  // namespace hone::core
