#include "hone/model/budgeted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/model/answer.h"

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

// How much of the answer is still to be had for the money that is left; at least
// Ledger::kLeastAnswer, as for tokens: a call that is allowed is worth making.
Tokens answer_for_money(const core::Ledger& ledger, const CostAtMost& cost, Tokens prompt,
                        Tokens answer) {
  const auto spent = ledger.total_spent().total().usd;
  const auto whole = cost ? cost(prompt, answer) : std::nullopt;
  const auto without = cost ? cost(prompt, Tokens{}) : std::nullopt;
  if (!ledger.budget().usd || !whole || !without) return answer;
  const double left = ledger.budget().usd->amount - spent.value_or(Usd{}).amount;
  if (whole->amount <= left || whole->amount <= without->amount) return answer;
  const double share = (left - without->amount) / (whole->amount - without->amount);
  const auto fits = static_cast<std::int64_t>(share * static_cast<double>(answer.count));
  return std::min(answer, std::max(Tokens{fits}, core::Ledger::kLeastAnswer));
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
  const Tokens affordable = answer_for_money(*context.ledger, cost_at_most_, prompt, wanted);
  const Tokens answer = context.ledger->answer_that_fits(prompt, affordable);
  std::unique_ptr<core::ModelRequest> fitting;
  if (answer < wanted) {
    fitting = std::make_unique<core::ModelRequest>(request);
    fitting->sampling.max_tokens = answer;
  }

  core::ModelReply reply;
  std::exception_ptr failure;
  {
    const auto reservation = context.ledger->reserve(prompt, answer);
    const core::ModelRequest& asked = fitting ? *fitting : request;
    failure = co_await caught(complete_into(*model_, context, asked, &reply));
  }
  const core::Usage usage = failure ? core::usage_of(failure) : reply.usage;
  settle(context, request.role, usage);
  if (failure) std::rethrow_exception(failure);
  co_return reply;
}

}  // namespace hone::model
