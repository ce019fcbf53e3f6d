#include "hone/reflect/plan.h"

#include <gtest/gtest.h>

#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

Plan planned(const core::Run& run, Strategy strategy, const char* policy = "default") {
  return plan_revision(run, {.strategy = strategy, .policy = policy_named(policy)});
}

core::Issue issue(std::string message, std::optional<int> line = std::nullopt) {
  core::Issue made;
  made.message = std::move(message);
  made.line = line;
  return made;
}

core::Run judged(std::optional<double> score, std::vector<core::Issue> issues) {
  core::Run run = some_run();
  run.attempts.push_back(rejected(1, "text", ""));
  run.attempts[0].evaluation =
      score ? core::failed(Score(*score), std::move(issues)) : core::unknown("nobody could tell");
  return run;
}

TEST(Plan, AFailureIsRevisedAsAsked) {
  for (const Strategy strategy : {Strategy::Regenerate, Strategy::FullRewrite,
                                  Strategy::TargetedEdit, Strategy::Incremental}) {
    const Plan plan = planned(two_attempts(), strategy);
    EXPECT_EQ(plan.strategy, strategy);
    EXPECT_EQ(plan.why, "");
    EXPECT_EQ(plan.view.only.has_value(), strategy == Strategy::Incremental);
  }
}

TEST(Plan, ARepeatIsRegeneratedWithoutAnyEarlierText) {
  for (const Strategy strategy :
       {Strategy::Regenerate, Strategy::FullRewrite, Strategy::TargetedEdit, Strategy::Incremental,
        Strategy::Hybrid}) {
    const RevisionOptions options{.strategy = strategy, .include_prior_versions = std::nullopt};
    const Plan plan = plan_revision(with_repeats(two_attempts(), 1), options);
    EXPECT_EQ(plan.strategy, Strategy::Regenerate);
    EXPECT_EQ(plan.view.versions, 0);
  }
}

TEST(Plan, ARegressionIsFollowedByAnotherStrategy) {
  const auto after = [](const char* made_by) {
    return planned(with_regression(two_attempts(), made_by), Strategy::TargetedEdit).strategy;
  };
  EXPECT_EQ(after("incremental"), Strategy::FullRewrite);
  EXPECT_EQ(after("targeted_edit"), Strategy::FullRewrite);
  EXPECT_EQ(after("full_rewrite after targeted_edit"), Strategy::Regenerate);
  EXPECT_EQ(after("full_rewrite (attempt 3 was worse)"), Strategy::Regenerate);
  EXPECT_EQ(after("regenerate"), Strategy::Regenerate);
  EXPECT_EQ(planned(with_regression(two_attempts(), "targeted_edit"), Strategy::TargetedEdit).why,
            "attempt 3 was worse");
}

TEST(Plan, WhatWasAskedForComesBackAfterAGain) {
  core::Run run = with_regression(two_attempts(), "targeted_edit");
  run.attempts.push_back(rejected(4, "better text", "nearly"));
  run.attempts.back().output.strategy = "full_rewrite (attempt 3 was worse)";
  EXPECT_EQ(planned(run, Strategy::TargetedEdit).strategy, Strategy::TargetedEdit);
}

struct Scope {
  const char* name;
  core::Run run;
  Strategy expected;
  const char* why;
};

TEST(Hybrid, ChoosesByScope) {
  const auto located = issue("x", 1);
  const std::vector<Scope> cases{
      {"one located", judged(0.6, {located}), Strategy::TargetedEdit,
       "hybrid: 1 of 1 issues have a place"},
      {"three located", judged(0.5, {located, issue("y", 2), issue("z", 3)}),
       Strategy::TargetedEdit, "hybrid: 3 of 3 issues have a place"},
      {"many", judged(0.6, std::vector(4, located)), Strategy::FullRewrite,
       "hybrid: 4 of 4 issues have a place"},
      {"one has no place", judged(0.6, {located, issue("y")}), Strategy::FullRewrite,
       "hybrid: 1 of 2 issues have a place"},
      {"none", judged(0.6, {}), Strategy::FullRewrite, "hybrid: 0 of 0 issues have a place"},
      {"low score", judged(0.4, {located}), Strategy::Regenerate, "hybrid: score 0.40"},
      {"unknown", judged(std::nullopt, {}), Strategy::Regenerate, "hybrid: no score"},
      {"repeat", with_repeats(judged(0.6, {located}), 1), Strategy::Regenerate, "after a repeat"},
  };
  for (const Scope& one : cases) {
    const Plan plan = planned(one.run, Strategy::Hybrid);
    EXPECT_EQ(plan.strategy, one.expected) << one.name;
    EXPECT_EQ(plan.why, one.why) << one.name;
  }
}

TEST(Incremental, TakesErrorsThenWhatWasCarriedLongestThenTheFirst) {
  core::Issue warning = issue("style");
  warning.severity = core::Severity::Warning;
  core::Run run = judged(0.1, {issue("old"), warning});
  EXPECT_EQ(next_issue(run)->message, "old");
  run.attempts.push_back(rejected(2, "better", ""));
  run.attempts.back().evaluation =
      core::failed(Score(0.5), {warning, issue("new"), issue("newer"), issue("old")});
  EXPECT_EQ(next_issue(run)->message, "old");
  run.attempts.back().evaluation.issues.pop_back();
  EXPECT_EQ(next_issue(run)->message, "new");
  run.attempts.back().evaluation.issues = {warning};
  EXPECT_EQ(next_issue(run)->message, "style");
  run.attempts.back().evaluation.issues.clear();
  EXPECT_EQ(next_issue(run), nullptr);
}

TEST(Plan, WithoutSomethingToWorkOnALargerStepIsTaken) {
  const Plan no_issue = planned(judged(0.5, {}), Strategy::Incremental);
  EXPECT_EQ(no_issue.strategy, Strategy::FullRewrite);
  EXPECT_EQ(no_issue.why, "incremental: no issue to work on");
  core::Run blank = judged(0.5, {issue("it is empty")});
  blank.attempts[0].output.text = " \n";
  for (const Strategy strategy : {Strategy::FullRewrite, Strategy::TargetedEdit}) {
    EXPECT_EQ(planned(blank, strategy).strategy, Strategy::Regenerate);
    EXPECT_EQ(planned(blank, strategy).why, "the best output is blank");
  }
}

TEST(Plan, PoliciesDecideWhatIsShown) {
  const core::Run failed = two_attempts();
  const Plan fresh = planned(failed, Strategy::TargetedEdit, "fresh");
  EXPECT_TRUE(fresh.fresh);
  EXPECT_EQ(fresh.strategy, Strategy::Regenerate);
  EXPECT_EQ(planned(failed, Strategy::Regenerate, "show_best").strategy, Strategy::FullRewrite);
  EXPECT_EQ(planned(failed, Strategy::TargetedEdit, "show_best").strategy, Strategy::TargetedEdit);
  EXPECT_EQ(planned(with_repeats(failed, 1), Strategy::Regenerate, "show_best").strategy,
            Strategy::Regenerate);
}

TEST(Plan, AnOwnPolicyCanShowLessOrMore) {
  RevisionOptions options{.include_prior_versions = 1};
  options.policy.after_failure = Shows::BestText;
  EXPECT_FALSE(plan_revision(two_attempts(), options).view.reasons);
  EXPECT_EQ(plan_revision(two_attempts(), options).view.versions, 0);
  options.policy.after_failure = Shows::All;
  EXPECT_EQ(plan_revision(two_attempts(), options).view.versions, std::nullopt);
  EXPECT_EQ(plan_revision(two_attempts(), options).strategy, Strategy::FullRewrite);
  options.policy.after_failure = Shows::AsStrategy;
  EXPECT_EQ(plan_revision(two_attempts(), options).view.versions, 1);
}

}  // namespace
}  // namespace hone::reflect
