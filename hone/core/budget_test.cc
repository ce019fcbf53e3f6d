#include "hone/core/budget.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"

namespace hone::core {
namespace {

Usage call(std::int64_t tokens) { return {.calls = 1, .input = {tokens}}; }

TEST(Ledger, CountsWhatRunningCallsHaveReserved) {
  Budget budget;
  budget.tokens = Tokens{100};
  Ledger ledger(budget);
  {
    const auto first = ledger.reserve({40}, {60});
    EXPECT_THROW((void)ledger.reserve({1}, {1}), Error);
  }
  EXPECT_NO_THROW((void)ledger.reserve({1}, {1}));
}

TEST(Ledger, AScopeCountsInItsParentToo) {
  Budget budget;
  budget.calls = 2;
  Ledger ledger(budget);
  Ledger scope(&ledger);
  scope.settle(Role::Evaluate, call(5));
  ledger.settle(Role::Generate, call(7));
  EXPECT_EQ(scope.spent().total().input.count, 5);
  EXPECT_EQ(ledger.spent().total().input.count, 12);
  EXPECT_THROW((void)scope.reserve({1}, {1}), Error);
}

TEST(Ledger, LowersTheAnswerToWhatIsLeftButNotToNothing) {
  Budget budget;
  budget.tokens = Tokens{1000};
  Ledger ledger(budget);
  EXPECT_EQ(ledger.answer_that_fits({100}, {2048}).count, 900);
  EXPECT_EQ(ledger.answer_that_fits({990}, {2048}), Ledger::kLeastAnswer);
  EXPECT_EQ(ledger.answer_that_fits({100}, {20}).count, 20);
  EXPECT_EQ(Ledger().answer_that_fits({100}, {2048}).count, 2048);
}

TEST(Usage, TheSumOfKnownAndUnknownPricesIsUnknown) {
  const Usage known{.calls = 1, .usd = Usd{0.5}};
  const Usage unknown{.calls = 1};
  EXPECT_EQ((known + known).usd, Usd{1.0});
  EXPECT_EQ((known + unknown).usd, std::nullopt);
  EXPECT_EQ((Usage{} + known).usd, Usd{0.5});
  EXPECT_EQ((known + Usage{}).usd, Usd{0.5});
}

TEST(Usage, EstimatesTokensOfTexts) {
  EXPECT_EQ(estimate_tokens("").count, 0);
  EXPECT_EQ(estimate_tokens("four").count, 1);
  EXPECT_EQ(estimate_tokens("日本語").count, 3);
}

}  // namespace
}  // namespace hone::core
