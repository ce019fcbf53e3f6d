#include "hone/core/spend.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace hone::core {
namespace {

constexpr double kWarnAt = 0.8;

// How much of one limit is spent.
struct Share {
  double share = 0;
  std::string detail;
};

// The limit that is closest to its end.
class Largest {
 public:
  void tokens(const Budget& budget, const Usage& spent) {
    if (!budget.tokens || budget.tokens->count <= 0) return;
    const std::int64_t count = spent.total().count;
    consider(static_cast<double>(count) / static_cast<double>(budget.tokens->count),
             fmt::format("{} of {} tokens are spent", count, budget.tokens->count));
  }
  void money(const Budget& budget, const Usage& spent) {
    if (!budget.usd || !spent.usd || budget.usd->amount <= 0) return;
    consider(spent.usd->amount / budget.usd->amount,
             fmt::format("{:.4f} of {:.4f} US dollars are spent", spent.usd->amount,
                         budget.usd->amount));
  }
  void calls(const Budget& budget, const Usage& spent) {
    if (!budget.calls || *budget.calls <= 0) return;
    consider(static_cast<double>(spent.calls) / static_cast<double>(*budget.calls),
             fmt::format("{} of {} calls are made", spent.calls, *budget.calls));
  }
  void time(const Context& context, const Budget& budget) {
    if (!budget.time || !context.deadline || budget.time->count() <= 0) return;
    const Duration left = *context.deadline - context.clock->now();
    const double share = 1.0 - to_seconds(left) / to_seconds(*budget.time);
    consider(share,
             fmt::format("{:.0f} % of {} have passed", 100 * share, show_duration(*budget.time)));
  }
  Share take() { return std::move(largest_); }

 private:
  void consider(double share, std::string detail) {
    if (share > largest_.share) largest_ = {share, std::move(detail)};
  }

  Share largest_;
};

Share largest_share(const Context& context) {
  const Budget& budget = context.ledger->budget();
  const Usage spent = context.ledger->total_spent().total();
  Largest largest;
  largest.tokens(budget, spent);
  largest.money(budget, spent);
  largest.calls(budget, spent);
  largest.time(context, budget);
  return largest.take();
}

}  // namespace

void spend(const Context& context, Role role, const Usage& usage) {
  if (context.ledger == nullptr) return;
  context.ledger->settle(role, usage);
  const Share share = largest_share(context);
  if (share.share < kWarnAt || !context.ledger->warns_first()) return;
  context.emit(BudgetWarning{share.detail});
}

}  // namespace hone::core
