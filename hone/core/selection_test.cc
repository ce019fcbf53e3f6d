#include "hone/core/selection.h"

#include <gtest/gtest.h>

namespace hone::core {
namespace {

Run run_of(const std::vector<Evaluation>& evaluations) {
  Run run;
  for (const Evaluation& evaluation : evaluations) {
    Attempt attempt;
    attempt.number = run.next_number();
    attempt.evaluation = evaluation;
    run.attempts.push_back(attempt);
  }
  return run;
}

Evaluation fail_at(double score) { return failed(Score(score), {}); }

Evaluation tested(int passing, int tests) {
  Evaluation evaluation = fail_at(static_cast<double>(passing) / tests);
  evaluation.samples = tests;
  return evaluation;
}

struct Case {
  std::string_view name;
  std::vector<Evaluation> evaluations;
  Selection selection;
  int expected;
};
const Case kCases[] = {
    {"the best", {fail_at(0.3), fail_at(0.7), fail_at(0.5)}, Selection::HighestScore, 2},
    {"ties go to the earliest", {fail_at(0.7), fail_at(0.7)}, Selection::HighestScore, 1},
    {"passed beats a higher failed score",
     {fail_at(0.9), passed(Score(0.8))},
     Selection::HighestScore,
     2},
    {"unknown beats failed", {fail_at(0.9), unknown("?")}, Selection::HighestScore, 2},
    {"passed beats unknown", {unknown("?"), passed(Score(0.8))}, Selection::HighestScore, 2},
    {"the last one", {fail_at(0.9), fail_at(0.1)}, Selection::Latest, 2},
    {"the first that passed",
     {fail_at(0.9), passed(Score(0.8)), passed(Score(1.0))},
     Selection::FirstSatisfactory,
     2},
    {"none passed", {fail_at(0.3), fail_at(0.9)}, Selection::FirstSatisfactory, 2},
    {"a later one that is nearly as good",
     {fail_at(0.70), fail_at(0.69)},
     Selection::WeightedRecency,
     2},
    {"a later one that is worse", {fail_at(0.70), fail_at(0.60)}, Selection::WeightedRecency, 1},
    {"a first that failed widely, corrected at once",
     {tested(3, 5), passed()},
     Selection::FirstUnlessCorrected,
     2},
    {"a first that is right but for the odd test",
     {tested(4, 5), passed()},
     Selection::FirstUnlessCorrected,
     1},
    {"one of two tests against it", {tested(1, 2), passed()}, Selection::FirstUnlessCorrected, 1},
    {"one of three tests against it", {tested(2, 3), passed()}, Selection::FirstUnlessCorrected, 1},
    {"the only test against it", {tested(0, 1), passed()}, Selection::FirstUnlessCorrected, 1},
    {"both tests against it", {tested(0, 2), passed()}, Selection::FirstUnlessCorrected, 2},
    {"two of three tests against it", {tested(1, 3), passed()}, Selection::FirstUnlessCorrected, 2},
    {"two of many tests against it", {tested(8, 10), passed()}, Selection::FirstUnlessCorrected, 1},
    {"corrected late", {tested(0, 5), tested(0, 5), passed()}, Selection::FirstUnlessCorrected, 1},
    {"better and not corrected", {tested(0, 5), tested(4, 5)}, Selection::FirstUnlessCorrected, 1},
    {"a first that nobody could judge",
     {unknown("?"), passed()},
     Selection::FirstUnlessCorrected,
     1},
    {"recency never outranks the outcome",
     {passed(Score(0.8)), fail_at(0.79)},
     Selection::WeightedRecency,
     1},
    {"the first", {fail_at(0.1), fail_at(0.9)}, Selection::First, 1},
};

TEST(Selection, PicksTheAttemptThatIsReturned) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(select(run_of(c.evaluations), c.selection), c.expected);
  }
  EXPECT_EQ(select(core::Run(), Selection::First), std::nullopt);
}

Evaluation chain(Outcome outcome, std::vector<CheckResult> checks) {
  Evaluation evaluation;
  evaluation.outcome = outcome;
  evaluation.checks = std::move(checks);
  return evaluation;
}

TEST(Compare, RanksByChecksPassedBeforeTheFirstMissThenByItsScore) {
  const CheckResult yes{"a", Outcome::Passed, Score(1.0)};
  const auto no = [](double score) { return CheckResult{"b", Outcome::Failed, Score(score)}; };
  const Evaluation first = chain(Outcome::Failed, {no(0.9), yes});
  const Evaluation second = chain(Outcome::Failed, {yes, no(0.1)});
  const Evaluation third = chain(Outcome::Failed, {yes, no(0.2)});
  EXPECT_LT(compare(first, second), 0);
  EXPECT_LT(compare(second, third), 0);
  EXPECT_EQ(compare(third, third), 0);
}

TEST(Selection, SaysWhetherACorrectionCouldStillBeReturned) {
  EXPECT_TRUE(may_be_corrected(run_of({})));
  EXPECT_TRUE(may_be_corrected(run_of({tested(2, 4)})));
  EXPECT_FALSE(may_be_corrected(run_of({tested(4, 5)})));
  EXPECT_FALSE(may_be_corrected(run_of({passed()})));
  EXPECT_FALSE(may_be_corrected(run_of({tested(2, 5), tested(4, 5)})));
}

TEST(Selection, NamesReadBack) {
  for (const auto name :
       {"highest_score", "latest", "first_satisfactory", "weighted_recency", "first"}) {
    ASSERT_TRUE(selection_from(name));
    EXPECT_EQ(to_string(*selection_from(name)), name);
  }
  EXPECT_FALSE(selection_from("best"));
}

}  // namespace
}  // namespace hone::core
