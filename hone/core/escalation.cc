#include "hone/core/escalation.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::core {
namespace {

constexpr std::size_t kAnswerColumns = 200;

async<void> ask(std::string& answer, Context context, const Run& run, Escalation& escalation) {
  answer = co_await escalation.escalate(std::move(context), run);
}

Stop stop_after(Stop stop, const std::string& answer, const std::exception_ptr& failure) {
  if (failure) {
    const Error error = to_error(failure);
    if (error.kind() == ErrorKind::Cancelled) std::rethrow_exception(failure);
    stop.detail += "; it could not be escalated: " + error.message();
    stop.hint = error.hint();
    return stop;
  }
  stop.reason = StopReason::Escalated;
  const std::string said = one_line(trim(answer), kAnswerColumns);
  stop.detail += said.empty() ? "; escalated" : fmt::format("; escalated: {}", said);
  return stop;
}

}  // namespace

bool gave_up(const Stop& stop) {
  switch (stop.reason) {
    case StopReason::MaxAttempts:
    case StopReason::Plateau:
    case StopReason::Oscillation:
    case StopReason::Diminishing:
    case StopReason::Stable:
    case StopReason::Duplicate:
    case StopReason::RepeatedIssues:
      return true;
    default:
      return false;
  }
}

async<void> escalate(Context context, Run& run, Escalation& escalation,
                     std::optional<int> selected) {
  const auto seen = std::make_unique<Run>(run);
  seen->selected = selected;
  run.stop.reset();
  std::string answer;
  auto asking = ask(answer, context.at("escalate"), *seen, escalation);
  const std::exception_ptr failure = co_await caught(std::move(asking));
  run.stop = stop_after(*seen->stop, answer, failure);
}

}  // namespace hone::core
