#include "hone/model/budgeted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

constexpr double kWarnAt = 0.8;

// How much of one limit is spent.
struct Share {
  double share = 0;
  std::string detail;
};

// The limit that is closest to its end.
Share largest_share(const core::Ledger& ledger) {
  const core::Budget& budget = ledger.budget();
  const core::Usage spent = ledger.total_spent().total();
  Share largest;
  const auto consider = [&largest](double share, std::string detail) {
    if (share > largest.share) largest = {share, std::move(detail)};
  };
  if (budget.tokens && budget.tokens->count > 0) {
    const std::int64_t count = spent.total().count;
    consider(static_cast<double>(count) / static_cast<double>(budget.tokens->count),
             fmt::format("{} of {} tokens are spent", count, budget.tokens->count));
  }
  if (budget.usd && spent.usd && budget.usd->amount > 0) {
    consider(spent.usd->amount / budget.usd->amount,
             fmt::format("{:.4f} of {:.4f} US dollars are spent", spent.usd->amount,
                         budget.usd->amount));
  }
  if (budget.calls && *budget.calls > 0) {
    consider(static_cast<double>(spent.calls) / static_cast<double>(*budget.calls),
             fmt::format("{} of {} calls are made", spent.calls, *budget.calls));
  }
  return largest;
}

void settle(const core::Context& context, core::Role role, const core::Usage& usage) {
  const double before = largest_share(*context.ledger).share;
  context.ledger->settle(role, usage);
  const Share after = largest_share(*context.ledger);
  if (before < kWarnAt && after.share >= kWarnAt) context.emit(core::BudgetWarning{after.detail});
}

Tokens prompt_tokens(const core::ModelRequest& request) {
  Tokens tokens;
  for (const core::Message& message : request.messages) {
    tokens += core::estimate_tokens(message.text);
  }
  return tokens;
}

async<void> complete_into(core::Model& model, core::Context context,
                          const core::ModelRequest& request, core::ModelReply* reply) {
  *reply = co_await model.complete(std::move(context), request);
}

}  // namespace

Budgeted::Budgeted(std::unique_ptr<core::Model> model) : model_(std::move(model)) {}

async<core::ModelReply> Budgeted::complete(core::Context context,
                                           const core::ModelRequest& request) {
  core::ModelRequest fitting = request;
  const Tokens prompt = prompt_tokens(request);
  const Tokens wanted = request.sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  const Tokens answer = context.ledger->answer_that_fits(prompt, wanted);
  if (answer < wanted) fitting.sampling.max_tokens = answer;

  core::ModelReply reply;
  std::exception_ptr failure;
  {
    const auto reservation = context.ledger->reserve(prompt, answer);
    failure = co_await caught(complete_into(*model_, context, fitting, &reply));
  }
  const core::Usage usage = failure ? core::usage_of(failure) : reply.usage;
  settle(context, request.role, usage);
  if (failure) std::rethrow_exception(failure);
  co_return reply;
}

}  // namespace hone::model
