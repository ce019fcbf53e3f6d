#include "hone/core/stop.h"

#include <fmt/format.h>

#include <algorithm>

#include "hone/base/error.h"

namespace hone::core {
namespace {

// Gains are differences of decimal fractions: 0.55 - 0.50 has to count as 0.05.
constexpr double kRounding = 1e-9;

std::optional<Stop> passed(const Run& run) {
  const auto found = std::ranges::find_if(run.attempts, [](const Attempt& attempt) {
    return attempt.evaluation.outcome == Outcome::Passed;
  });
  if (found == run.attempts.end()) return std::nullopt;
  return Stop{StopReason::Passed, fmt::format("attempt {} passed", found->number)};
}

std::optional<Stop> max_attempts(const Run& run, int limit) {
  const auto made = static_cast<int>(run.attempts.size());
  if (made < limit) return std::nullopt;
  return Stop{StopReason::MaxAttempts, fmt::format("{} of {} attempts were made", made, limit)};
}

std::optional<Stop> plateau(const Run& run, const PlateauRule& rule) {
  std::optional<double> best;
  int without_gain = 0;
  for (const Attempt& attempt : run.attempts) {
    const auto score = attempt.evaluation.score;
    const bool gained = score && (!best || score->value() - *best >= rule.gain - kRounding);
    without_gain = gained ? 0 : without_gain + 1;
    if (score) best = std::max(best.value_or(0.0), score->value());
  }
  if (!best || without_gain < rule.attempts) return std::nullopt;
  return Stop{StopReason::Plateau,
              fmt::format("{} attempts did not raise the best score {:.2f} by {:.2f}", without_gain,
                          *best, rule.gain)};
}

std::optional<Stop> duplicate(const Run& run, int limit) {
  int in_a_row = 0;
  for (const Attempt& attempt : run.attempts) in_a_row = attempt.duplicate_of ? in_a_row + 1 : 0;
  if (in_a_row < limit) return std::nullopt;
  const std::string detail =
      in_a_row == 1 ? fmt::format("attempt {} repeats attempt {}", run.attempts.back().number,
                                  *run.attempts.back().duplicate_of)
                    : fmt::format("the last {} attempts repeat earlier ones", in_a_row);
  return Stop{StopReason::Duplicate, detail};
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
  if (auto stop = max_attempts(run, attempts)) return stop;
  if (plateau) {
    if (auto stop = core::plateau(run, *plateau)) return stop;
  }
  if (duplicate) {
    if (auto stop = core::duplicate(run, *duplicate)) return stop;
  }
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
