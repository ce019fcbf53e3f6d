#include "hone/core/judged.h"

#include <exception>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"

namespace hone::core {
namespace {

// The failures that end the run instead of leaving one output unjudged.
bool ends_the_run(const Context& context, const Error& error) {
  const bool late = context.deadline && context.clock->now() >= *context.deadline;
  return error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::BudgetExhausted ||
         (error.kind() == ErrorKind::DeadlineExceeded && late);
}

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

async<void> evaluate_into(Evaluation& evaluation, Context context, const Run& run,
                          Evaluator& evaluator, const Output& output) {
  evaluation = co_await evaluator.evaluate(std::move(context), run, output);
}

}  // namespace

async<Evaluation> judged(Context context, const Run& run, Evaluator& evaluator,
                         const Output& output) {
  if (output.finish != Finish::Complete) {
    co_return unknown(std::string(reason_not_judged(output.finish)));
  }
  if (const Attempt* same = run.find_same(output)) co_return carried(*same);
  Ledger scope(context.ledger);
  Evaluation evaluation;
  auto evaluating = evaluate_into(evaluation, context.counting_in(scope), run, evaluator, output);
  const std::exception_ptr failure = co_await caught(std::move(evaluating));
  if (failure) {
    const Error error = to_error(failure);
    if (ends_the_run(context, error)) std::rethrow_exception(failure);
    evaluation = unknown(error.message());
  }
  evaluation.usage = scope.spent().total();
  co_return evaluation;
}

}  // namespace hone::core
