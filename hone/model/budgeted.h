// Keeps the calls of a model within the budget of their run.
#pragma once

#include <memory>
#include <string>

#include "hone/core/effects.h"

namespace hone::model {

using CostAtMost = core::Ledger::CostAtMost;

// Before a call it reserves the prompt (estimated) and the longest answer, which it lowers to what
// is left of tokens and, where prices are known, of money; after it, it settles what the reply
// says, or what a failure says that was paid for. A call that would be cut short or refused only
// because of what others have reserved waits for them, so attempts at once cannot overshoot
// together, and none ends for money that nobody spends.
//
// Stands inside the journal, which settles what it answers itself: a replay refuses, and cuts, just
// what was refused and cut then, whoever is first.
// Errors: BudgetExhausted when nothing is left, without a call. Threads: as core::Model.
class Budgeted final : public core::Model {
 public:
  explicit Budgeted(std::unique_ptr<core::Model> model, CostAtMost cost_at_most = {});

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return model_->name(); }

 private:
  std::unique_ptr<core::Model> model_;
  CostAtMost cost_at_most_;
};

}  // namespace hone::model
