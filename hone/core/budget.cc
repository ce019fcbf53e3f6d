#include "hone/core/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hone/base/error.h"

namespace hone::core {

Ledger::Ledger(Budget budget) : budget_(std::move(budget)) {}
Ledger::Ledger(Ledger* parent) : parent_(parent) {}

Ledger::Reservation::Reservation(Ledger& ledger, Tokens tokens, Usd usd)
    : ledger_(&ledger), tokens_(tokens), usd_(usd) {
  ledger_->reserved_ += tokens_;
  ledger_->usd_reserved_.amount += usd_.amount;
  ++ledger_->calls_reserved_;
}

Ledger::Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(std::exchange(other.ledger_, nullptr)), tokens_(other.tokens_), usd_(other.usd_) {}

Ledger::Reservation::~Reservation() {
  if (ledger_ == nullptr) return;
  ledger_->reserved_.count -= tokens_.count;
  ledger_->usd_reserved_.amount -= usd_.amount;
  // Sums of fractions leave crumbs.
  if (--ledger_->calls_reserved_ == 0) ledger_->usd_reserved_.amount = 0;
  const OneShot released = std::exchange(ledger_->released_, OneShot());
  released.set();
}

async<void> Ledger::released() {
  const OneShot released = root().released_;
  co_await released.wait();
}

Ledger& Ledger::root() { return parent_ == nullptr ? *this : parent_->root(); }
const Ledger& Ledger::root() const { return parent_ == nullptr ? *this : parent_->root(); }
const Budget& Ledger::budget() const { return root().budget_; }

std::int64_t Ledger::tokens_left() const {
  const Ledger& top = root();
  if (!top.budget_.tokens) return std::numeric_limits<std::int64_t>::max();
  return top.budget_.tokens->count - top.spent_.total().total().count - top.reserved_.count;
}

std::optional<std::string> Ledger::exhausted() const {
  const Ledger& top = root();
  const Usage spent = top.spent_.total();
  const Budget& budget = top.budget_;
  if (budget.tokens && tokens_left() <= 0) {
    return fmt::format("{} of {} tokens are spent", spent.total().count, budget.tokens->count);
  }
  if (budget.calls && spent.calls + top.calls_reserved_ >= *budget.calls) {
    return fmt::format("{} of {} calls are made", spent.calls, *budget.calls);
  }
  if (budget.usd && usd_left() <= 0) {
    return fmt::format("{:.4f} of {:.4f} US dollars are spent", spent.usd.value_or(Usd{}).amount,
                       budget.usd->amount);
  }
  return std::nullopt;
}

double Ledger::usd_left() const {
  const Ledger& top = root();
  if (!top.budget_.usd) return std::numeric_limits<double>::infinity();
  const Usd spent = top.spent_.total().usd.value_or(Usd{});
  return top.budget_.usd->amount - spent.amount - top.usd_reserved_.amount;
}

Tokens Ledger::answer_for_money(Tokens prompt, Tokens answer, const CostAtMost& cost) const {
  const auto whole = cost ? cost(prompt, answer) : std::nullopt;
  const auto without = cost ? cost(prompt, Tokens{}) : std::nullopt;
  if (!budget().usd || !whole || !without) return answer;
  const double left = usd_left();
  if (whole->amount <= left || whole->amount <= without->amount) return answer;
  const double share = (left - without->amount) / (whole->amount - without->amount);
  return Tokens{static_cast<std::int64_t>(share * static_cast<double>(answer.count))};
}

Tokens Ledger::answer_that_fits(Tokens prompt, Tokens answer, const CostAtMost& cost) const {
  Tokens fits = answer_for_money(prompt, answer, cost);
  if (budget().tokens) fits = std::min(fits, Tokens{tokens_left() - prompt.count});
  return std::min(answer, std::max(fits, kLeastAnswer));
}

Ledger::Reservation Ledger::reserve(Tokens prompt, Tokens answer, const CostAtMost& cost) {
  if (const auto reason = exhausted()) {
    throw Error(ErrorKind::BudgetExhausted, "the budget is exhausted: " + *reason,
                "raise --tokens, --usd or the budget of the task");
  }
  const auto usd = cost ? cost(prompt, answer) : std::nullopt;
  return {root(), Tokens{prompt.count + answer.count}, usd.value_or(Usd{})};
}

void Ledger::settle(Role role, const Usage& usage) {
  spent_[role] += usage;
  if (parent_ != nullptr) parent_->settle(role, usage);
}

}  // namespace hone::core
