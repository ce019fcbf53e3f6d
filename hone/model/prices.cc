#include "hone/model/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/json.h"

namespace hone::model {

extern const char* const kPricesText;

namespace {

constexpr double kMillion = 1e6;
constexpr std::size_t kDateDigits = 8;

[[noreturn]] void damaged(std::string_view what) {
  throw Error(ErrorKind::Corrupt, fmt::format("the list of prices is damaged: {}", what));
}

std::optional<double> dollars(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!found->is_number() || found->get<double>() < 0) {
    damaged(fmt::format("`{}` is no price", key));
  }
  return found->get<double>();
}

std::string name(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) damaged(fmt::format("`{}` is missing", key));
  return found->get<std::string>();
}

const Json& list(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) damaged(fmt::format("`{}` is missing", key));
  return *found;
}

Price price_from(const std::string& provider, const Json& object) {
  if (!object.is_object()) damaged("a model is no object");
  Price price{.provider = provider, .model = name(object, "model")};
  const auto input = dollars(object, "input");
  const auto output = dollars(object, "output");
  if (!input || !output) damaged(fmt::format("`{}` has no price", price.model));
  price.input = *input;
  price.output = *output;
  price.cached = dollars(object, "cached");
  price.cache_write = dollars(object, "cache_write");
  if (const auto longest = dollars(object, "longest_prompt")) {
    price.longest_prompt = Tokens{static_cast<std::int64_t>(*longest)};
  }
  return price;
}

bool is_date(std::string_view text) {
  const auto digits = std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
  const auto dashes = std::ranges::count(text, '-');
  return digits == kDateDigits && static_cast<std::size_t>(digits + dashes) == text.size();
}

bool is_called(std::string_view model, const std::string& listed) {
  if (listed == "*" || model == listed) return true;
  if (!model.starts_with(listed)) return false;
  const std::string_view rest = model.substr(listed.size());
  return rest == "-latest" || (rest.starts_with('-') && is_date(rest.substr(1)));
}

bool holds_for(const Price& price, Tokens prompt) {
  return !price.longest_prompt || prompt <= *price.longest_prompt;
}

double times(Tokens tokens, double price) {
  return static_cast<double>(tokens.count) * price / kMillion;
}

}  // namespace

PriceList parse_prices(std::string_view text) {
  const auto json = try_parse_json(text);
  if (!json || !json->is_object()) damaged("it is not JSON");
  std::vector<Price> prices;
  for (const Json& provider : list(*json, "providers")) {
    for (const Json& model : list(provider, "models")) {
      prices.push_back(price_from(name(provider, "provider"), model));
    }
  }
  return PriceList(std::move(prices));
}

const PriceList& built_in_prices() {
  static const PriceList prices = parse_prices(kPricesText);
  return prices;
}

const Price* PriceList::find(std::string_view provider, std::string_view model) const {
  const auto found = std::ranges::find_if(prices_, [&](const Price& price) {
    return price.provider == provider && is_called(model, price.model);
  });
  return found == prices_.end() ? nullptr : &*found;
}

// A sum of several calls is taken for one: the longest prompt is judged by what is known.
std::optional<Usd> PriceList::cost(std::string_view provider, std::string_view model,
                                   const core::Usage& usage) const {
  const Price* price = find(provider, model);
  if (price == nullptr || !holds_for(*price, usage.input)) return std::nullopt;
  const Tokens fresh{usage.input.count - usage.cached.count - usage.cache_written.count};
  return Usd{times(fresh, price->input) +
             times(usage.cached, price->cached.value_or(price->input)) +
             times(usage.cache_written, price->cache_write.value_or(price->input)) +
             times(usage.output, price->output)};
}

std::optional<Usd> PriceList::cost_at_most(std::string_view provider, std::string_view model,
                                           Tokens prompt, Tokens answer) const {
  const Price* price = find(provider, model);
  if (price == nullptr || !holds_for(*price, prompt)) return std::nullopt;
  const double dearest = std::max(price->input, price->cache_write.value_or(0));
  return Usd{times(prompt, dearest) + times(answer, price->output)};
}

}  // namespace hone::model
