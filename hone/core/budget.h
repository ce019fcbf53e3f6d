// One ledger of tokens, money, calls and time for all roles of a run: reserve before a call, settle
// after.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "hone/async/async.h"
#include "hone/async/one_shot.h"
#include "hone/base/units.h"
#include "hone/core/usage.h"

namespace hone::core {

// What a run may cost. An absent limit does not limit.
struct Budget {
  std::optional<Tokens> tokens;  // Input and output together.
  std::optional<Usd> usd;
  std::optional<std::int64_t> calls;  // Calls of models.
  std::optional<Duration> time;       // From the start of the run.

  bool operator==(const Budget&) const = default;
};

// Counts what a run spends. A scope is a ledger of its own (for one attempt) that passes everything
// on to the ledger it was opened in; limits are those of the outermost one.
//
// A call is refused only when nothing is left, so a budget is overshot by one call at most; calls
// that run at once count with what they have reserved, and one that would have to be cut short
// because of them waits (model::Budgeted).
// Threads: one loop thread.
class Ledger {
 public:
  explicit Ledger(Budget budget = {});
  // A scope inside `parent`, which outlives it.
  explicit Ledger(Ledger* parent);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Room for one call. Gives back what it reserved when it goes out of scope.
  class Reservation {
   public:
    Reservation(Ledger& ledger, Tokens tokens, Usd usd);
    Reservation(Reservation&& other) noexcept;
    Reservation& operator=(Reservation&&) = delete;
    ~Reservation();

   private:
    Ledger* ledger_;
    Tokens tokens_;
    Usd usd_;
  };

  // The most that a call with such a prompt and answer costs; absent where no price is known.
  using CostAtMost = std::function<std::optional<Usd>(Tokens prompt, Tokens answer)>;

  // Reserves room for a prompt of about `prompt` tokens and an answer of up to `answer`, in tokens,
  // in calls and, where a price is known, in money. Throws BudgetExhausted when nothing is left.
  Reservation reserve(Tokens prompt, Tokens answer, const CostAtMost& cost = {});
  // The longest answer that still fits beside the prompt in tokens and in money, at most `answer`
  // and at least kLeastAnswer: a call that is allowed is worth making.
  Tokens answer_that_fits(Tokens prompt, Tokens answer, const CostAtMost& cost = {}) const;
  // Whether calls run that may give back a part of what they have reserved.
  bool has_reservations() const { return root().calls_reserved_ > 0; }
  // Returns when one of them has ended. Does not listen to cancellation.
  async<void> released();
  // Adds what a call has cost.
  void settle(Role role, const Usage& usage);

  const UsageByRole& spent() const { return spent_; }
  // What all scopes of the outermost ledger have spent together.
  const UsageByRole& total_spent() const { return root().spent_; }
  const Budget& budget() const;
  // Why no further call is allowed, as a sentence; absent while there is something left.
  std::optional<std::string> exhausted() const;

  // Whether this is the first time that somebody is to be warned; the next answer is no.
  bool warns_first() { return !std::exchange(root().warned_, true); }

  static constexpr Tokens kLeastAnswer{256};

 private:
  Ledger& root();
  const Ledger& root() const;
  std::int64_t tokens_left() const;
  double usd_left() const;
  Tokens answer_for_money(Tokens prompt, Tokens answer, const CostAtMost& cost) const;

  Ledger* parent_ = nullptr;
  Budget budget_;
  UsageByRole spent_;
  Tokens reserved_;
  Usd usd_reserved_;
  std::int64_t calls_reserved_ = 0;
  OneShot released_;
  bool warned_ = false;
};

}  // namespace hone::core
