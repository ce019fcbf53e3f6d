#include "hone/model/prices.h"

#include <gtest/gtest.h>

#include <set>

#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/model/priced.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

const PriceList kList = parse_prices(R"({"providers": [
  {"provider": "openai", "models": [
    {"model": "big", "input": 2, "output": 8, "cached": 0.5},
    {"model": "big-mini", "input": 1, "output": 4, "longest_prompt": 100}]},
  {"provider": "anthropic", "models": [
    {"model": "wise-4", "input": 5, "output": 25, "cached": 0.5, "cache_write": 6.25}]},
  {"provider": "local", "models": [{"model": "*", "input": 0, "output": 0}]}]})");

double cost(std::string_view provider, std::string_view model, const core::Usage& usage) {
  return kList.cost(provider, model, usage).value_or(Usd{-1}).amount;
}

TEST(Prices, CountEachKindOfTokenByItsOwn) {
  const core::Usage usage{.calls = 1,
                          .input = {1'000'000},
                          .output = {100'000},
                          .cached = {400'000},
                          .cache_written = {100'000}};
  EXPECT_DOUBLE_EQ(cost("anthropic", "wise-4", usage), 0.5 * 5 + 0.4 * 0.5 + 0.1 * 6.25 + 2.5);
  EXPECT_DOUBLE_EQ(cost("openai", "big", usage), 0.6 * 2 + 0.4 * 0.5 + 0.8);
}

TEST(Prices, AreFoundByNameWithOrWithoutADate) {
  struct Case {
    std::string model;
    std::string found;
  };
  const Case cases[] = {{"big", "big"},
                        {"big-2025-04-14", "big"},
                        {"big-20250414", "big"},
                        {"big-latest", "big"},
                        {"big-mini-2025-04-14", "big-mini"},
                        {"big-huge", ""},
                        {"big-1", ""},
                        {"bigger", ""},
                        {"", ""}};
  for (const auto& [model, found] : cases) {
    const Price* price = kList.find("openai", model);
    EXPECT_EQ(price == nullptr ? "" : price->model, found) << model;
  }
  EXPECT_EQ(kList.find("http", "big"), nullptr);
}

TEST(Prices, ThatAreUnknownAreAbsentAndNeverZero) {
  const core::Usage usage{.calls = 1, .input = {101}, .output = {1}};
  EXPECT_EQ(kList.cost("openai", "other", usage), std::nullopt);
  EXPECT_EQ(kList.cost("scripted", "x", usage), std::nullopt);
  EXPECT_EQ(kList.cost("openai", "big-mini", usage), std::nullopt) << "the prompt is too long";
  EXPECT_EQ(kList.cost("local", "anything", usage), Usd{0});
}

TEST(Prices, AtMostCoverWhateverTheCallCosts) {
  const Tokens prompt{1000};
  const Tokens answer{500};
  const double most = kList.cost_at_most("anthropic", "wise-4", prompt, answer)->amount;
  for (std::int64_t cached = 0; cached <= 1000; cached += 100) {
    const core::Usage usage{.calls = 1,
                            .input = prompt,
                            .output = answer,
                            .cached = {cached},
                            .cache_written = {1000 - cached}};
    EXPECT_LE(cost("anthropic", "wise-4", usage), most + 1e-12);
  }
  EXPECT_EQ(kList.cost_at_most("openai", "other", prompt, answer), std::nullopt);
}

TEST(Prices, ThatAreDamagedAreNamed) {
  for (
      const char* text :
      {"", "[]", "{}", R"({"providers": [{"provider": "p"}]})",
       R"({"providers": [{"provider": "p", "models": [{"model": "m", "input": 1}]}]})",
       R"({"providers": [{"provider": "p", "models": [{"model": "m", "input": -1, "output": 1}]}]})"}) {
    try {
      parse_prices(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << text;
    }
  }
}

TEST(BuiltInPrices, NameEachModelOnceAndAreInProportion) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const Price& price : built_in_prices().prices()) {
    EXPECT_TRUE(seen.emplace(price.provider, price.model).second) << price.model;
    EXPECT_LE(price.cached.value_or(0), price.input) << price.model;
    EXPECT_GE(price.cache_write.value_or(price.input), price.input) << price.model;
    EXPECT_GE(price.output, price.input) << price.model;
  }
  const core::Usage million{.calls = 1, .input = {1'000'000}, .output = {1'000'000}};
  EXPECT_EQ(built_in_prices().cost("openai", "gpt-4.1-2025-04-14", million), Usd{10});
  EXPECT_EQ(built_in_prices().cost("local", "qwen2.5-coder-1.5b", million), Usd{0});
}

// Answers, or fails, with a usage.
class Costly final : public core::Model {
 public:
  Costly(std::string answered, bool fails) : answered_(std::move(answered)), fails_(fails) {}
  async<core::ModelReply> complete(core::Context, const core::ModelRequest&) override {
    const core::Usage usage{.calls = 1, .input = {1'000'000}};
    const Error broken(ErrorKind::Unavailable, "it broke off");
    if (fails_) throw core::PaidError(broken, usage);
    core::ModelReply reply{"x", core::Finish::Complete, answered_, usage};
    co_return reply;
  }
  std::string name() const override { return "openai:big"; }

 private:
  std::string answered_;
  bool fails_;
};

TEST(Priced, PutsThePriceIntoReplies) {
  for (const char* answered : {"big-2025-04-14", "", "a name of the server"}) {
    Priced model(std::make_unique<Costly>(answered, false), "openai", kList);
    Call call;
    EXPECT_EQ(call.reply(model, Asked{}).usage.usd, Usd{2}) << answered;
  }
  Priced other(std::make_unique<Costly>("big", false), "http", kList);
  Call call;
  EXPECT_EQ(call.reply(other, Asked{}).usage.usd, std::nullopt);
}

TEST(Priced, PutsThePriceIntoFailuresThatWerePaidFor) {
  Priced model(std::make_unique<Costly>("", true), "openai", kList);
  Call call;
  try {
    call.reply(model, Asked{});
    FAIL() << "it succeeded";
  } catch (const core::PaidError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_EQ(error.usage().usd, Usd{2});
  }
}

}  // namespace
}  // namespace hone::model
