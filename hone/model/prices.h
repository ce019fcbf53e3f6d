// What models cost: the prices that hone knows (models/prices.json).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/units.h"
#include "hone/core/usage.h"

namespace hone::model {

// One model's prices, in US dollars per million tokens.
struct Price {
  std::string provider;  // As in ModelSpec: "openai", "anthropic", "local".
  std::string model;     // Its name without a date; "*": all of the provider.
  double input = 0;
  double output = 0;
  std::optional<double> cached;       // Prompt tokens read from the cache; absent: as `input`.
  std::optional<double> cache_write;  // Prompt tokens put into it; absent: as `input`.
  // The longest prompt that these prices hold for; absent: any.
  std::optional<Tokens> longest_prompt;

  bool operator==(const Price&) const = default;
};

// Threads: any, once made.
class PriceList {
 public:
  explicit PriceList(std::vector<Price> prices) : prices_(std::move(prices)) {}

  // Null if the price is not known. "gpt-4.1-2025-04-14" is "gpt-4.1"; "gpt-4.1-mini" is not.
  const Price* find(std::string_view provider, std::string_view model) const;
  // What the calls cost; absent if the price is not known, never 0 for that.
  std::optional<Usd> cost(std::string_view provider, std::string_view model,
                          const core::Usage& usage) const;
  // The most that one call costs: nothing of the prompt is cached yet and the answer is as long as
  // it may be. For reservations.
  std::optional<Usd> cost_at_most(std::string_view provider, std::string_view model, Tokens prompt,
                                  Tokens answer) const;
  const std::vector<Price>& prices() const { return prices_; }

 private:
  std::vector<Price> prices_;
};

// Throws Corrupt naming what is wrong.
PriceList parse_prices(std::string_view text);
// Those that this build carries.
const PriceList& built_in_prices();

}  // namespace hone::model
