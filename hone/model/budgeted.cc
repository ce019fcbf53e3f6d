#include "hone/model/budgeted.h"

#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/core/spend.h"
#include "hone/model/answer.h"

namespace hone::model {
namespace {

// The answer that there is room for. While other calls run that may not need all they reserved,
// one that would be cut short or refused because of them waits; it is refused only for what is
// really spent.
async<Tokens> room_for(core::Context context, Tokens prompt, Tokens wanted,
                       const CostAtMost& cost) {
  const auto cancelled = co_await cancellation();
  while (true) {
    throw_if_cancelled(cancelled);
    const core::Ledger& ledger = *context.ledger;
    const Tokens fits = ledger.answer_that_fits(prompt, wanted, cost);
    const bool is_enough = fits >= wanted && !ledger.exhausted();
    if (is_enough || !ledger.has_reservations()) co_return fits;
    co_await context.ledger->released();
  }
}

async<void> complete_into(core::Model& model, core::Context context,
                          const core::ModelRequest& request, core::ModelReply* reply) {
  *reply = co_await model.complete(std::move(context), request);
}

}  // namespace

Budgeted::Budgeted(std::unique_ptr<core::Model> model, CostAtMost cost_at_most)
    : model_(std::move(model)), cost_at_most_(std::move(cost_at_most)) {}

async<core::ModelReply> Budgeted::complete(core::Context context,
                                           const core::ModelRequest& request) {
  const Tokens prompt = estimated_prompt(request);
  const Tokens wanted = request.sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  Tokens answer = context.ledger->answer_that_fits(prompt, wanted, cost_at_most_);
  const bool is_enough = answer >= wanted && !context.ledger->exhausted();
  if (!is_enough) answer = co_await room_for(context, prompt, wanted, cost_at_most_);
  std::unique_ptr<core::ModelRequest> fitting;
  if (answer < wanted) {
    fitting = std::make_unique<core::ModelRequest>(request);
    fitting->sampling.max_tokens = answer;
  }
  const auto reservation = context.ledger->reserve(prompt, answer, cost_at_most_);
  const core::ModelRequest& asked = fitting ? *fitting : request;
  core::ModelReply reply;
  const std::exception_ptr failure =
      co_await caught(complete_into(*model_, context, asked, &reply));
  core::spend(context, request.role, failure ? core::usage_of(failure) : reply.usage);
  if (failure) std::rethrow_exception(failure);
  co_return reply;
}

}  // namespace hone::model
