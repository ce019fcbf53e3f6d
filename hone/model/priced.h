// Says what the calls of a model cost in money.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "hone/core/effects.h"
#include "hone/model/prices.h"

namespace hone::model {

// Puts the price into the usage of each reply and of each failure that was paid for; leaves it
// absent where the list does not know it, and as it is where the model told it. Stands right round
// the provider, inside retries and the journal: what was recorded keeps its price of then.
// Threads: as core::Model. Lifetime: the list outlives it.
class Priced final : public core::Model {
 public:
  Priced(std::unique_ptr<core::Model> model, std::string provider,
         const PriceList& prices = built_in_prices())
      : model_(std::move(model)), provider_(std::move(provider)), prices_(prices) {}

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return model_->name(); }

 private:
  void add_price(core::Usage& usage, const std::string& answered) const;

  std::unique_ptr<core::Model> model_;
  std::string provider_;
  const PriceList& prices_;
};

}  // namespace hone::model
