#include "hone/model/budgeted.h"

#include <gtest/gtest.h>

#include "hone/core/paid_error.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

// Answers with the usage it was given, or fails, and remembers the requests.
class PricedModel final : public core::Model {
 public:
  PricedModel(core::Usage usage, std::vector<core::ModelRequest>* requests)
      : usage_(usage), requests_(requests) {}

  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    requests_->push_back(request);
    if (request.messages.back().text == "fail") throw Error(ErrorKind::Unavailable, "gone");
    if (request.messages.back().text == "fail at a price") {
      throw core::PaidError({ErrorKind::Unavailable, "gone"}, usage_);
    }
    core::ModelReply reply;
    reply.text = "ok";
    reply.usage = usage_;
    co_return reply;
  }
  std::string name() const override { return "priced"; }

 private:
  core::Usage usage_;
  std::vector<core::ModelRequest>* requests_;
};

class BudgetedTest : public testing::Test {
 protected:
  Budgeted budgeted(core::Usage usage) {
    usage.calls = 1;
    return Budgeted(std::make_unique<PricedModel>(usage, &requests_));
  }
  std::optional<Tokens> asked_for() const { return requests_.back().sampling.max_tokens; }

  std::vector<core::ModelRequest> requests_;
};

TEST_F(BudgetedTest, SettlesWhatTheReplySaysUnderTheRole) {
  Call call;
  Budgeted model = budgeted({.input = {100}, .output = {10}, .usd = Usd{0.5}});
  call.text(model, {core::Role::Evaluate, 1, "x"});
  EXPECT_EQ(call.ledger().spent()[core::Role::Evaluate].total(), Tokens{110});
  EXPECT_EQ(call.ledger().spent()[core::Role::Evaluate].usd, Usd{0.5});
  EXPECT_EQ(call.ledger().spent()[core::Role::Generate].calls, 0);
  EXPECT_EQ(asked_for(), std::nullopt);
  EXPECT_EQ(model.name(), "priced");
}

TEST_F(BudgetedTest, LowersTheAnswerToWhatIsLeft) {
  Call call("run", {.tokens = Tokens{3000}});
  Budgeted model = budgeted({.input = {1000}, .output = {700}});
  core::ModelRequest request = Asked{core::Role::Generate, 1, std::string(400, 'x')};
  call.reply(model, request);
  EXPECT_EQ(asked_for(), std::nullopt);
  call.reply(model, request);
  EXPECT_EQ(asked_for(), Tokens{1200});
  EXPECT_EQ(call.failure(model, request).kind(), ErrorKind::BudgetExhausted);
  EXPECT_EQ(requests_.size(), 2u);
}

// A dollar for 1,000 tokens of the prompt or 100 of the answer.
std::optional<Usd> dollars(Tokens prompt, Tokens answer) {
  return Usd{static_cast<double>(prompt.count) / 1000 + static_cast<double>(answer.count) / 100};
}

TEST_F(BudgetedTest, LowersTheAnswerToTheMoneyThatIsLeft) {
  Call call("run", {.usd = Usd{30}});
  core::ModelRequest request = Asked{core::Role::Generate, 1, std::string(4000, 'x')};
  request.sampling.max_tokens = Tokens{1000};
  const core::Usage usage{.calls = 1, .usd = Usd{24.5}};
  Budgeted model(std::make_unique<PricedModel>(usage, &requests_), dollars);
  call.reply(model, request);
  EXPECT_EQ(asked_for(), Tokens{1000});
  call.reply(model, request);
  EXPECT_EQ(asked_for(), Tokens{450});
  EXPECT_EQ(call.failure(model, request).kind(), ErrorKind::BudgetExhausted);
}

TEST_F(BudgetedTest, OfUnknownPricesLeavesTheAnswerAsItWas) {
  Call call("run", {.usd = Usd{0.001}});
  const auto unknown = [](Tokens, Tokens) { return std::optional<Usd>(); };
  Budgeted model(std::make_unique<PricedModel>(core::Usage{.calls = 1}, &requests_), unknown);
  call.reply(model, Asked{});
  EXPECT_EQ(asked_for(), std::nullopt);
}

TEST_F(BudgetedTest, LeavesAShorterAnswerAsItWas) {
  Call call("run", {.tokens = Tokens{3000}});
  Budgeted model = budgeted({});
  core::ModelRequest request = Asked{};
  request.sampling.max_tokens = Tokens{50};
  call.reply(model, request);
  EXPECT_EQ(asked_for(), Tokens{50});
}

TEST_F(BudgetedTest, FailedCallCostsWhatWasPaidAndGivesItsReservationBack) {
  Call call("run", {.tokens = Tokens{3000}});
  Budgeted model = budgeted({.input = {100}, .output = {20}});
  EXPECT_EQ(call.failure(model, Asked{core::Role::Generate, 1, "fail"}).kind(),
            ErrorKind::Unavailable);
  EXPECT_EQ(call.ledger().spent().total(), core::Usage{});
  EXPECT_EQ(call.ledger().answer_that_fits({0}, {9999}), Tokens{3000});
  EXPECT_EQ(call.failure(model, Asked{core::Role::Reflect, 1, "fail at a price"}).kind(),
            ErrorKind::Unavailable);
  EXPECT_EQ(call.ledger().spent()[core::Role::Reflect].total(), Tokens{120});
  EXPECT_EQ(call.ledger().answer_that_fits({0}, {9999}), Tokens{2880});
}

TEST_F(BudgetedTest, WarnsOnceWhenFourFifthsOfAnyLimitAreSpent) {
  struct Case {
    core::Budget budget;
    int quiet;  // Calls before the warning.
    std::string detail;
  };
  const Case cases[] = {
      {{.tokens = Tokens{1000}}, 7, "800 of 1000 tokens are spent"},
      {{.usd = Usd{1.0}}, 3, "0.8000 of 1.0000 US dollars are spent"},
      {{.calls = 5}, 3, "4 of 5 calls are made"},
      {{.tokens = Tokens{1000}, .usd = Usd{1.0}}, 3, "0.8000 of 1.0000 US dollars are spent"},
  };
  for (const Case& c : cases) {
    Call call("run", c.budget);
    Budgeted model = budgeted({.input = {90}, .output = {10}, .usd = Usd{0.2}});
    for (int i = 0; i < c.quiet; ++i) call.text(model, {});
    EXPECT_EQ(call.count<core::BudgetWarning>(), 0u) << c.detail;
    call.text(model, {});
    ASSERT_EQ(call.count<core::BudgetWarning>(), 1u) << c.detail;
    EXPECT_EQ(std::get<core::BudgetWarning>(call.events().back()).detail, c.detail);
    call.text(model, {});
    EXPECT_EQ(call.count<core::BudgetWarning>(), 1u) << c.detail;
  }
}

TEST_F(BudgetedTest, WarnsAcrossScopes) {
  Call call("run", {.tokens = Tokens{1000}});
  Budgeted model = budgeted({.input = {100}});
  for (int i = 1; i <= 9; ++i) {
    core::Ledger scope(&call.ledger());
    call.reply_in(call.context().counting_in(scope), model, Asked{});
    EXPECT_EQ(call.count<core::BudgetWarning>(), i >= 8 ? 1u : 0u) << i;
  }
}

}  // namespace
}  // namespace hone::model
