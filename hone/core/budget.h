// One ledger of tokens, money, calls and time for all roles of a run: reserve before a call, settle
// after.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

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
// that run at once count with what they have reserved.
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
    Reservation(Ledger& ledger, Tokens reserved);
    Reservation(Reservation&& other) noexcept;
    Reservation& operator=(Reservation&&) = delete;
    ~Reservation();

   private:
    Ledger* ledger_;
    Tokens reserved_;
  };

  // Reserves room for a prompt of about `prompt` tokens and an answer of up to `answer`. Throws
  // BudgetExhausted when nothing is left.
  Reservation reserve(Tokens prompt, Tokens answer);
  // The longest answer that still fits beside the prompt, at most `answer` and at least
  // kLeastAnswer: a call that is allowed is worth making.
  Tokens answer_that_fits(Tokens prompt, Tokens answer) const;
  // Adds what a call has cost.
  void settle(Role role, const Usage& usage);

  const UsageByRole& spent() const { return spent_; }
  // What all scopes of the outermost ledger have spent together.
  const UsageByRole& total_spent() const { return root().spent_; }
  const Budget& budget() const;
  // Why no further call is allowed, as a sentence; absent while there is something left.
  std::optional<std::string> exhausted() const;

  static constexpr Tokens kLeastAnswer{256};

 private:
  Ledger& root();
  const Ledger& root() const;
  std::int64_t tokens_left() const;

  Ledger* parent_ = nullptr;
  Budget budget_;
  UsageByRole spent_;
  Tokens reserved_;
  std::int64_t calls_reserved_ = 0;
};

}  // namespace hone::core
