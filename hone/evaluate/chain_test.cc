#include "hone/evaluate/chain.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>

#include "hone/base/error.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

using core::Evaluation;
using core::Outcome;

// Writes down where it was asked and answers or throws.
class Scripted final : public core::Evaluator {
 public:
  Scripted(std::vector<std::string>& asked, std::function<Evaluation()> answer)
      : asked_(asked), answer_(std::move(answer)) {}
  async<Evaluation> evaluate(core::Context context, const core::Run&,
                             const core::Output&) override {
    asked_.push_back(context.path);
    co_return answer_();
  }

 private:
  std::vector<std::string>& asked_;
  std::function<Evaluation()> answer_;
};

struct Plan {
  std::string name;
  std::function<Evaluation()> answer;
  bool is_judge = false;
  bool always = false;
};

struct Asked {
  Evaluation evaluation;
  std::vector<std::string> paths;
};

Asked ask(const std::vector<Plan>& plans, core::Budget budget = {}) {
  Asked asked;
  std::vector<NamedCheck> checks;
  for (const Plan& plan : plans) {
    auto evaluator = std::make_unique<Scripted>(asked.paths, plan.answer);
    checks.push_back({plan.name, std::move(evaluator), plan.is_judge, plan.always});
  }
  Chain chain(std::move(checks));
  asked.evaluation = evaluation_of(chain, "output", std::move(budget));
  return asked;
}

Evaluation pass() { return core::passed(); }
Evaluation miss() { return core::failed(Score(0.5), {{.message = "wrong"}}); }
Evaluation no_idea() { return core::unknown("why"); }
Evaluation crash() { throw std::runtime_error("crashed"); }

using Paths = std::vector<std::string>;

TEST(Chain, AsksJudgesLastAndOnlyAfterPasses) {
  const Plan judge{"judge", pass, true};
  const Plan eager{"eager", pass, true, true};
  EXPECT_EQ(ask({judge, {"a", pass}, {"b", pass}}).paths, (Paths{"1-a", "2-b", "3-judge"}));
  EXPECT_EQ(ask({judge, {"a", miss}, {"b", pass}}).paths, (Paths{"1-a", "2-b"}));
  EXPECT_EQ(ask({judge, {"a", no_idea}, {"b", pass}}).paths, (Paths{"1-a", "2-b"}));
  EXPECT_EQ(ask({judge, {"a", crash}, {"b", miss}}).paths, (Paths{"1-a", "2-b"}));
  EXPECT_EQ(ask({eager, {"a", miss}, judge}).paths, (Paths{"1-eager", "2-a"}));
  EXPECT_EQ(ask({{"a", miss}, eager}).paths, (Paths{"1-a", "2-eager"}));
  EXPECT_EQ(ask({{"first", miss, true}, judge}).paths, (Paths{"1-first"}));
}

TEST(Chain, WhatWasNotAskedCountsButDoesNotAppear) {
  const Asked asked = ask({{"schema", miss}, {"judge", pass, true}});
  EXPECT_EQ(asked.evaluation.outcome, Outcome::Failed);
  EXPECT_DOUBLE_EQ(asked.evaluation.score->value(), 0.25);
  ASSERT_EQ(asked.evaluation.checks.size(), 1U);
  EXPECT_EQ(asked.evaluation.checks[0].name, "schema");
  ASSERT_EQ(asked.evaluation.issues.size(), 1U);
  EXPECT_EQ(asked.evaluation.issues[0].check, "schema");
}

TEST(Chain, NamesAreMadeUniqueAndFitIntoPaths) {
  const Asked asked =
      ask({{"regex", pass}, {"regex", pass}, {"regex-2", pass}, {"", pass}, {"a/b", pass}});
  EXPECT_EQ(asked.paths, (Paths{"1-regex", "2-regex-2", "3-regex-2-2", "4-check", "5-a-b"}));
  EXPECT_EQ(asked.evaluation.checks[1].name, "regex-2");
  EXPECT_EQ(asked.evaluation.checks[4].name, "a/b");
}

TEST(Chain, ACheckThatThrowsCannotTell) {
  const auto fail = [](ErrorKind kind) {
    return [kind]() -> Evaluation { throw Error(kind, "broken", "mend it"); };
  };
  const Asked crashed = ask({{"a", crash}, {"b", pass}});
  EXPECT_EQ(crashed.evaluation.outcome, Outcome::Unknown);
  EXPECT_EQ(crashed.evaluation.error, "a: crashed");
  EXPECT_EQ(crashed.evaluation.score, std::nullopt);
  EXPECT_EQ(crashed.evaluation.checks[1].outcome, Outcome::Passed);
  const Asked hinted = ask({{"a", fail(ErrorKind::DeadlineExceeded)}});
  EXPECT_EQ(hinted.evaluation.error, "broken; mend it");
  EXPECT_EQ(ask({{"a", crash}, {"b", miss}}).evaluation.outcome, Outcome::Failed);
}

TEST(Chain, WhatEndsTheRunIsPassedOn) {
  core::Budget no_time;
  no_time.time = Duration::zero();
  struct Case {
    ErrorKind kind;
    core::Budget budget;
  };
  for (const Case& test : {Case{ErrorKind::Cancelled, {}}, Case{ErrorKind::BudgetExhausted, {}},
                           Case{ErrorKind::DeadlineExceeded, no_time}}) {
    const auto fail = [&]() -> Evaluation { throw Error(test.kind, "over"); };
    try {
      ask({{"a", fail}, {"b", pass}}, test.budget);
      ADD_FAILURE() << to_string(test.kind) << " was swallowed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), test.kind);
    }
  }
}

TEST(Chain, NeedsAtLeastOneCheck) { EXPECT_THROW(Chain({}), Error); }

Plan any_plan() {
  const std::function<Evaluation()> answers[] = {pass, miss, no_idea, crash};
  Plan plan{"check", answers[*rc::gen::inRange(0, 4)]};
  plan.is_judge = *rc::gen::arbitrary<bool>();
  plan.always = *rc::gen::arbitrary<bool>();
  return plan;
}

std::vector<Plan> any_plans() {
  std::vector<Plan> plans;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) plans.push_back(any_plan());
  return plans;
}

RC_GTEST_PROP(Chain, AJudgeIsNeverAskedAfterAMissOrAnUnknown, ()) {
  auto plans = any_plans();
  bool spoiled = false;
  bool asked_in_vain = false;
  std::size_t cheap = 0;
  std::size_t cheap_asked = 0;
  for (Plan& plan : plans) {
    const bool waits = plan.is_judge && !plan.always;
    cheap += waits ? 0 : 1;
    plan.answer = [&, waits, answer = plan.answer] {
      asked_in_vain = asked_in_vain || (waits && spoiled);
      cheap_asked += waits ? 0 : 1;
      const bool outer = std::exchange(spoiled, true);  // Stays so if the answer is a crash.
      Evaluation evaluation = answer();
      spoiled = outer || evaluation.outcome != Outcome::Passed;
      return evaluation;
    };
  }
  ask(plans);
  RC_ASSERT(!asked_in_vain);
  RC_ASSERT(cheap_asked == cheap);
}

RC_GTEST_PROP(Chain, ItsOutcomeIsTheWorstOfThoseAskedWhateverTheirOrder, ()) {
  auto plans = any_plans();
  for (Plan& plan : plans) plan.is_judge = false;
  const Evaluation forward = ask(plans).evaluation;
  Outcome worst = Outcome::Passed;
  for (const auto& check : forward.checks) worst = std::min(worst, check.outcome);
  RC_ASSERT(forward.outcome == worst);
  RC_ASSERT(forward.checks.size() == plans.size());
  std::ranges::reverse(plans);
  RC_ASSERT(ask(plans).evaluation.outcome == worst);
}

}  // namespace
}  // namespace hone::evaluate
