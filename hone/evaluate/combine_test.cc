#include "hone/evaluate/combine.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace hone::evaluate {
namespace {

using core::Evaluation;
using core::Outcome;

NamedEvaluation part(std::string name, Evaluation evaluation) {
  return {std::move(name), std::move(evaluation)};
}

// One letter for each check: p passed, f failed at 0.5, u unknown, j passed at 0.85, z failed at 0.
std::vector<NamedEvaluation> parts(std::string_view letters) {
  std::vector<NamedEvaluation> result;
  for (const char letter : letters) {
    Evaluation evaluation = core::passed();
    if (letter == 'f') evaluation = core::failed(Score(0.5), {});
    if (letter == 'z') evaluation = core::failed(Score(0.0), {});
    if (letter == 'u') evaluation = core::unknown("why");
    if (letter == 'j') evaluation = core::passed(Score(0.85));
    result.push_back(part("check", evaluation));
  }
  return result;
}

struct ScoreCase {
  std::string ran;
  std::size_t count;
  Outcome outcome;
  std::optional<double> score;
};
const ScoreCase kScoreCases[] = {
    {"p", 1, Outcome::Passed, 1.0},
    {"f", 1, Outcome::Failed, 0.5},
    {"u", 1, Outcome::Unknown, {}},
    {"j", 1, Outcome::Passed, 0.85},
    {"pp", 2, Outcome::Passed, 1.0},
    {"pf", 2, Outcome::Failed, 0.75},
    {"fp", 2, Outcome::Failed, 0.25},
    {"ff", 2, Outcome::Failed, 0.25},
    {"f", 2, Outcome::Failed, 0.25},  // The judge was not asked.
    {"pz", 4, Outcome::Failed, 0.25},
    {"pj", 2, Outcome::Passed, 0.925},
    {"jp", 2, Outcome::Passed, 0.925},
    {"jf", 2, Outcome::Failed, 0.75},
    {"pu", 2, Outcome::Unknown, {}},
    {"uf", 2, Outcome::Failed, 0.0},  // The first that did not pass has no score.
    {"fu", 2, Outcome::Failed, 0.25}};

TEST(Combine, ShowsOneScoreForAll) {
  for (const ScoreCase& test : kScoreCases) {
    const Evaluation whole = combine(parts(test.ran), test.count);
    EXPECT_EQ(whole.outcome, test.outcome) << test.ran;
    ASSERT_EQ(whole.score.has_value(), test.score.has_value()) << test.ran;
    if (test.score) EXPECT_DOUBLE_EQ(whole.score->value(), *test.score) << test.ran;
    EXPECT_EQ(whole.checks.size(), test.ran.size()) << test.ran;
  }
}

TEST(Combine, KeepsWhatEachCheckFound) {
  Evaluation schema = core::passed();
  schema.value = JsonText{"{}"};
  Evaluation command = core::failed(Score(0.5), {{.message = "first"}, {.message = "second"}});
  command.suggestions = {"try"};
  command.usage.calls = 1;
  Evaluation judge = core::unknown("no answer");
  judge.criteria = {{"clarity", Score(0.5)}};
  judge.usage.calls = 2;
  const Evaluation whole =
      combine({part("schema", schema), part("command", command), part("judge", judge)}, 3);
  EXPECT_EQ(whole.value, JsonText{"{}"});
  ASSERT_EQ(whole.issues.size(), 2U);
  EXPECT_EQ(whole.issues[0].check, "command");
  EXPECT_EQ(whole.issues[1].message, "second");
  EXPECT_EQ(whole.suggestions, std::vector<std::string>{"try"});
  EXPECT_EQ(whole.criteria.size(), 1U);
  EXPECT_EQ(whole.error, "judge: no answer");
  EXPECT_EQ(whole.usage.calls, 3);
  ASSERT_EQ(whole.checks.size(), 3U);
  EXPECT_EQ(whole.checks[1].name, "command");
  EXPECT_EQ(whole.checks[1].score, Score(0.5));
  EXPECT_EQ(whole.checks[2].outcome, Outcome::Unknown);
}

TEST(Combine, ASingleCheckStaysAsItIs) {
  Evaluation judge = core::failed(Score(0.6), {});
  judge.interval = core::Interval{0.5, 0.7};
  judge.samples = 3;
  judge.confidence = 0.9;
  judge.error = "why";
  const Evaluation whole = combine({part("judge", judge)}, 1);
  EXPECT_EQ(whole.score, judge.score);
  EXPECT_EQ(whole.interval, judge.interval);
  EXPECT_EQ(whole.samples, 3);
  EXPECT_EQ(whole.confidence, 0.9);
  EXPECT_EQ(whole.error, "why");
}

TEST(Combine, TheIntervalIsMovedWithTheScore) {
  Evaluation judge = core::failed(Score(0.6), {});
  judge.interval = core::Interval{0.5, 0.7};
  const Evaluation whole = combine({part("schema", core::passed()), part("judge", judge)}, 2);
  EXPECT_DOUBLE_EQ(whole.interval->low, 0.75);
  EXPECT_DOUBLE_EQ(whole.interval->high, 0.85);
}

Evaluation any_evaluation() {
  const Score score(*rc::gen::inRange(0, 101) / 100.0);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return core::failed(score, {});
    case 1:
      return core::unknown("why");
    default:
      return core::passed(score);
  }
}

std::vector<NamedEvaluation> any_parts(std::size_t count) {
  std::vector<NamedEvaluation> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(part(std::to_string(i), any_evaluation()));
  return result;
}

RC_GTEST_PROP(Combine, FailedBeatsUnknownBeatsPassedInAnyOrder, ()) {
  auto ran = any_parts(*rc::gen::inRange<std::size_t>(1, 6));
  Outcome worst = Outcome::Passed;
  for (const auto& check : ran) worst = std::min(worst, check.evaluation.outcome);
  RC_ASSERT(combine(ran, ran.size()).outcome == worst);
  std::ranges::rotate(ran, ran.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(ran)));
  std::ranges::reverse(ran);
  RC_ASSERT(combine(ran, ran.size()).outcome == worst);
}

RC_GTEST_PROP(Combine, AScoreIsThereExactlyWhenTheOutcomeIsKnown, ()) {
  const auto ran = any_parts(*rc::gen::inRange<std::size_t>(1, 6));
  const Evaluation whole = combine(ran, ran.size() + *rc::gen::inRange<std::size_t>(0, 3));
  RC_ASSERT(whole.score.has_value() == (whole.outcome != Outcome::Unknown));
  RC_ASSERT(!whole.interval || whole.interval->low <= whole.interval->high);
}

RC_GTEST_PROP(Combine, WithinOneOutcomeABetterEvaluationNeverShowsALowerScore, ()) {
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 5);
  const Evaluation left = combine(any_parts(count), count);
  const Evaluation right = combine(any_parts(count), count);
  RC_PRE(left.outcome == right.outcome && left.score && right.score);
  const int order = core::compare(left, right);
  if (order > 0) RC_ASSERT(*left.score >= *right.score);
  if (order < 0) RC_ASSERT(*left.score <= *right.score);
}

}  // namespace
}  // namespace hone::evaluate
