#include "hone/reflect/policy.h"

#include <gtest/gtest.h>

#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

double temperature(const core::Run& run, core::Sampling sampling = {},
                   const char* policy = "default") {
  return *revision_sampling(run, {.policy = policy_named(policy)}, sampling).temperature;
}

TEST(Strategies, AreCalledAsUsersWriteThem) {
  for (const char* name :
       {"regenerate", "full_rewrite", "targeted_edit", "incremental", "hybrid"}) {
    ASSERT_TRUE(strategy_from(name)) << name;
    EXPECT_EQ(to_string(*strategy_from(name)), name);
  }
  EXPECT_FALSE(strategy_from("rewrite"));
}

TEST(Policies, HaveNames) {
  EXPECT_EQ(policy_named("default"), Policy());
  EXPECT_EQ(policy_named("fresh").after_repeat, Shows::Nothing);
  EXPECT_EQ(policy_named("show_best").after_failure, Shows::BestTextAndReasons);
}

TEST(Policies, UnknownOnesAreNotFound) {
  try {
    policy_named("bold");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotFound);
    EXPECT_EQ(error.hint(), "use one of default, show_best, fresh, lessons");
  }
}

TEST(RevisionSampling, GetsHotterWithEachRepeat) {
  const core::Run run = two_attempts();
  EXPECT_DOUBLE_EQ(temperature(run), 0.8);
  EXPECT_DOUBLE_EQ(temperature(with_repeats(run, 1)), 1.0);
  EXPECT_DOUBLE_EQ(temperature(with_repeats(run, 2)), 1.2);
  EXPECT_DOUBLE_EQ(temperature(with_repeats(run, 3)), 1.2);
  EXPECT_DOUBLE_EQ(temperature(with_repeats(run, 1), {.temperature = 0.0}), 0.2);
  EXPECT_DOUBLE_EQ(temperature(with_repeats(run, 2), {.temperature = 1.5}), 1.5);
}

TEST(RevisionSampling, GetsHotterWithRegressionsWhereThePolicySaysSo) {
  const core::Run once = with_regression(two_attempts(), "regenerate");
  EXPECT_DOUBLE_EQ(temperature(once), 0.8);
  EXPECT_DOUBLE_EQ(temperature(once, {}, "show_best"), 1.0);
  EXPECT_DOUBLE_EQ(temperature(with_repeats(once, 1), {}, "show_best"), 1.2);
}

TEST(RevisionSampling, ForgetsWhatWasBeforeANewOutput) {
  core::Run run = with_repeats(two_attempts(), 2);
  run.attempts.push_back(rejected(run.next_number(), "third text", "too high"));
  EXPECT_DOUBLE_EQ(temperature(run), 0.8);
}

TEST(RevisionSampling, TheLowerTokenLimitCounts) {
  const RevisionOptions options{.max_revision_tokens = Tokens{500}};
  const auto limit = [&](core::Sampling sampling) {
    return revision_sampling(two_attempts(), options, sampling).max_tokens->count;
  };
  EXPECT_EQ(limit({}), 500);
  EXPECT_EQ(limit({.max_tokens = Tokens{200}}), 200);
  EXPECT_EQ(limit({.max_tokens = Tokens{2000}}), 500);
}

}  // namespace
}  // namespace hone::reflect
