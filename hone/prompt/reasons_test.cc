#include "hone/prompt/reasons.h"

#include <gtest/gtest.h>

#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

using Lines = std::vector<std::string>;

TEST(Reasons, NameThePlaceAndTheCheck) {
  core::Attempt attempt = attempt_of(1, "x", core::failed(Score(0), {}));
  attempt.evaluation.issues = {issue_of("sum", "/total", "must be 42"),
                               issue_of("contains", "", "`Total` is missing"),
                               issue_of("", "", "too long")};
  attempt.evaluation.issues.emplace_back();
  attempt.evaluation.issues.back().line = 3;
  attempt.evaluation.issues.back().message = " does not parse\n";
  attempt.evaluation.suggestions = {"Add it up."};
  attempt.evaluation.checks.resize(2);
  EXPECT_EQ(reasons(attempt),
            (Lines{"/total: must be 42 (check `sum`)", "`Total` is missing (check `contains`)",
                   "too long", "line 3: does not parse", "Add it up."}));
}

TEST(Reasons, DoNotNameTheOnlyCheck) {
  core::Run run = sample_run();
  run.attempts.front().evaluation.checks.resize(1);
  EXPECT_EQ(reasons(run.attempts.front()),
            (Lines{"/total: must be 42", "Multiply before you add."}));
  run.attempts.back().evaluation = run.attempts.front().evaluation;
  run.attempts.back().evaluation.checks.resize(2);
  EXPECT_EQ(later_reasons(run), Lines()) << "the same with a name is no other one";
}

TEST(Reasons, SayWhyAnOutputWasNotJudged) {
  const auto attempt = attempt_of(1, "x", core::unknown("the output was cut off"));
  EXPECT_EQ(reasons(attempt), (Lines{"not judged: the output was cut off"}));
}

TEST(Reasons, LaterOnesAreThoseOfTheLastThatTheBestHasNot) {
  core::Run run = sample_run();
  EXPECT_EQ(later_reasons(run), (Lines{"/total: is required"}));
  run.attempts.back().evaluation.issues = run.attempts.front().evaluation.issues;
  EXPECT_EQ(later_reasons(run), Lines());
  run.attempts.pop_back();
  EXPECT_EQ(later_reasons(run), Lines());
}

TEST(Regressions, AreNewOutputsThatAreWorseThanTheBest) {
  core::Run run = sample_run();
  EXPECT_TRUE(is_regression(run));
  run.attempts.back().evaluation.score = Score(0.5);
  EXPECT_FALSE(is_regression(run)) << "as good as the best";
  run = sample_run();
  run.attempts.back().duplicate_of = 1;
  EXPECT_FALSE(is_regression(run)) << "a repeat";
  run.attempts.clear();
  EXPECT_FALSE(is_regression(run)) << "nothing yet";
}

TEST(Reasons, AreBounded) {
  std::vector<core::Issue> issues;
  for (int i = 0; i < 100; ++i) issues.push_back(issue_of("c", "", std::to_string(i)));
  issues.front().message = std::string(1999, 'x') + "é" + std::string(5000, 'y');
  const Lines lines = reasons(attempt_of(1, "x", core::failed(Score(0), issues)));
  ASSERT_EQ(lines.size(), kMostReasons);
  EXPECT_EQ(lines.back(), "and 71 more");
  EXPECT_EQ(lines.front(), std::string(1999, 'x') + "…");
}

TEST(Advice, IsOneLineForEachReflectionOldestFirst) {
  EXPECT_EQ(advice(sample_run()),
            (Lines{"Compute 3 * 14 step by step. Compute totals, never guess them.",
                   "The field is gone. Put it back."}));
}

TEST(Advice, IsOfTheNewestReflectionsWhereToldSo) {
  EXPECT_EQ(advice(sample_run(), 1), (Lines{"The field is gone. Put it back."}));
  EXPECT_EQ(advice(sample_run(), 0), Lines());
  EXPECT_EQ(advice(sample_run(), 9), advice(sample_run()));
}

TEST(Advice, SaysNothingTwice) {
  core::Run run = sample_run();
  run.attempts.back().reflection = run.attempts.front().reflection;
  EXPECT_EQ(advice(run).size(), 1U);
}

TEST(Advice, ForgetsTheOldestFirst) {
  core::Run run = sample_run();
  for (int i = 0; i < 10; ++i) {
    run.attempts.push_back(run.attempts.back());
    run.attempts.back().reflection->text = std::to_string(i) + std::string(1500, 'x');
  }
  const Lines lines = advice(run);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines.back().front(), '9');
}

}  // namespace
}  // namespace hone::prompt
