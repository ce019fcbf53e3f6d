// Keeps the calls of a model within the budget of their run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "hone/core/effects.h"

namespace hone::model {

// The most that a call with such a prompt and answer costs; absent where no price is known.
using CostAtMost = std::function<std::optional<Usd>(Tokens prompt, Tokens answer)>;

// Before a call it reserves the prompt (estimated) and the longest answer, which it lowers to what
// is left of tokens and, where prices are known, of money; after it, it settles what the reply
// says, or what a failure says that was paid for. Goes round the journal, so that a replayed answer
// counts like the live one. Tells a BudgetWarning when the first limit of the run reaches 80 %,
// once.
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
