#include "hone/core/judged.h"

#include <exception>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"

namespace hone::core {
namespace {

Evaluation carried(const Attempt& original) {
  Evaluation evaluation = original.evaluation;
  evaluation.usage = {};
  return evaluation;
}

std::string_view reason_not_judged(Finish finish) {
  return finish == Finish::Length
             ? "the output was cut off at the token limit and was not judged; raise max_tokens"
             : "the output was interrupted and was not judged";
}

bool is_late(const Context& context) {
  return context.deadline && context.clock->now() >= *context.deadline;
}

async<void> evaluate_into(Evaluation& evaluation, Context context, const Run& run,
                          Evaluator& evaluator, const Output& output) {
  evaluation = co_await evaluator.evaluate(std::move(context), run, output);
}

// Not inlined: see loop.cc.
[[gnu::noinline]] void take_failure(Judged& result, const Context& context,
                                    const std::exception_ptr& failure) {
  const Error error = to_error(failure);
  if (error.kind() == ErrorKind::Cancelled) std::rethrow_exception(failure);
  if (ends_the_run(context, error)) result.ends_run = failure;
  result.evaluation = unknown(error.message());
}

}  // namespace

bool ends_the_run(const Context& context, const Error& error) {
  switch (error.kind()) {
    case ErrorKind::Cancelled:
    case ErrorKind::BudgetExhausted:
    case ErrorKind::InvalidInput:
    case ErrorKind::NotFound:
    case ErrorKind::Unsupported:
      return true;
    case ErrorKind::DeadlineExceeded:
      return is_late(context);
    default:
      return false;
  }
}

bool is_silence(const Context& context, const Error& error) {
  switch (error.kind()) {
    case ErrorKind::Unavailable:
    case ErrorKind::Overloaded:
      return true;
    case ErrorKind::DeadlineExceeded:
      return !is_late(context);
    default:
      return false;
  }
}

async<Judged> judged(Context context, const Run& run, Evaluator& evaluator, const Output& output) {
  Judged result;
  if (output.finish != Finish::Complete) {
    result.evaluation = unknown(std::string(reason_not_judged(output.finish)));
    co_return result;
  }
  if (const Attempt* same = run.find_same(output)) {
    result.evaluation = carried(*same);
    co_return result;
  }
  Ledger scope(context.ledger);
  auto evaluating =
      evaluate_into(result.evaluation, context.counting_in(scope), run, evaluator, output);
  const std::exception_ptr failure = co_await caught(std::move(evaluating));
  if (failure) take_failure(result, context, failure);
  result.evaluation.usage = scope.spent().total();
  co_return result;
}

}  // namespace hone::core
