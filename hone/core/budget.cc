#include "hone/core/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hone/base/error.h"

namespace hone::core {

Ledger::Ledger(Budget budget) : budget_(std::move(budget)) {}
Ledger::Ledger(Ledger* parent) : parent_(parent) {}

Ledger::Reservation::Reservation(Ledger& ledger, Tokens reserved)
    : ledger_(&ledger), reserved_(reserved) {
  ledger_->reserved_ += reserved_;
  ++ledger_->calls_reserved_;
}

Ledger::Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(std::exchange(other.ledger_, nullptr)), reserved_(other.reserved_) {}

Ledger::Reservation::~Reservation() {
  if (ledger_ == nullptr) return;
  ledger_->reserved_.count -= reserved_.count;
  --ledger_->calls_reserved_;
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
  if (budget.usd && spent.usd && *spent.usd >= *budget.usd) {
    return fmt::format("{:.4f} of {:.4f} US dollars are spent", spent.usd->amount,
                       budget.usd->amount);
  }
  return std::nullopt;
}

Tokens Ledger::answer_that_fits(Tokens prompt, Tokens answer) const {
  if (!budget().tokens) return answer;
  const std::int64_t fits = tokens_left() - prompt.count;
  return std::min(answer, std::max(Tokens{fits}, kLeastAnswer));
}

Ledger::Reservation Ledger::reserve(Tokens prompt, Tokens answer) {
  if (const auto reason = exhausted()) {
    throw Error(ErrorKind::BudgetExhausted, "the budget is exhausted: " + *reason,
                "raise --tokens, --usd or the budget of the task");
  }
  return {root(), Tokens{prompt.count + answer.count}};
}

void Ledger::settle(Role role, const Usage& usage) {
  spent_[role] += usage;
  if (parent_ != nullptr) parent_->settle(role, usage);
}

}  // namespace hone::core
