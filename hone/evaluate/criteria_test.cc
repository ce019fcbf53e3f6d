#include "hone/evaluate/criteria.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "hone/evaluate/command.h"
#include "hone/evaluate/regex.h"
#include "hone/evaluate/system_runner.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

core::Run some_run() {
  core::Run run;
  run.task.prompt = "Greet the reader.";
  return run;
}

Criterion asked(std::string name, double weight = 1, std::optional<Score> threshold = {}) {
  return {.name = std::move(name),
          .description = "d",
          .weight = weight,
          .threshold = threshold,
          .evaluator = {}};
}

Criterion matching(std::string name, std::string pattern, std::optional<Score> threshold = {}) {
  Criterion criterion = asked(std::move(name), 1, threshold);
  criterion.evaluator = std::make_unique<RegexCheck>(RegexRules{{std::move(pattern)}, {}});
  return criterion;
}

template <class... Each>
std::vector<Criterion> list(Each... each) {
  std::vector<Criterion> criteria;
  (criteria.push_back(std::move(each)), ...);
  return criteria;
}

core::Evaluation checked(std::vector<Criterion> criteria, core::Model* judge,
                         CriteriaOptions options = {}, std::string text = "Hello!") {
  options.judge = judge;
  CriteriaCheck check(std::move(criteria), options);
  return evaluation_in(some_run(), check, std::move(text));
}

std::string refusal_of(std::vector<Criterion> criteria, core::Model* judge = nullptr) {
  try {
    CriteriaCheck(std::move(criteria), {.name = "style", .judge = judge});
  } catch (const Error& error) {
    return error.message() + " | " + error.hint();
  }
  return "no error";
}

TEST(Criteria, AreWeightedIntoOneScore) {
  FakeModel model(
      {reply(R"({"criteria":{"clarity":{"score":1,"reason":"r"},"tone":{"score":0.5}}})")});
  const auto evaluation = checked(list(asked("clarity", 3), asked("tone")), &model);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.score, Score(0.875));
  EXPECT_EQ(evaluation.criteria, (std::vector<std::pair<std::string, Score>>{
                                     {"clarity", Score(1)}, {"tone", Score(0.5)}}));
  EXPECT_TRUE(evaluation.issues.empty());
}

TEST(Criteria, AllAreAskedForInOneCall) {
  FakeModel model({reply(R"({"clarity":1,"tone":1})")});
  checked(list(asked("clarity"), asked("tone")), &model, {.rubric = "For children."});
  ASSERT_EQ(model.asked.size(), 1U);
  EXPECT_EQ(model.paths[0], "attempt/1/evaluate/ask/1");
  const std::string& prompt = model.asked[0].messages.back().text;
  EXPECT_NE(prompt.find("- clarity: d\n- tone: d\n"), std::string::npos) << prompt;
  EXPECT_NE(prompt.find("For children."), std::string::npos);
  EXPECT_NE(model.asked[0].schema->text.find(R"("required":["clarity","tone"])"),
            std::string::npos);
  EXPECT_EQ(model.asked[0].sampling.temperature, 0.0);
}

TEST(Criteria, OneBelowItsOwnThresholdFailsTheWhole) {
  FakeModel model(
      {reply(R"({"criteria":{"clarity":1,"tone":{"score":"6/10","reason":"too stiff"}}})")});
  const auto evaluation = checked(list(asked("clarity", 9), asked("tone", 1, Score(0.7))), &model);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_EQ(evaluation.score, Score(0.96));
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].message, "`tone` scores 0.6 of at least 0.7: too stiff");
  EXPECT_EQ(evaluation.issues[0].kind, "criterion");
}

TEST(Criteria, ALowSumNamesEveryCriterionBelowIt) {
  FakeModel model({reply(R"({"a":0.9,"b":0.75,"c":0.2})")});
  const auto evaluation = checked(list(asked("a"), asked("b", 1, Score(0.7)), asked("c")), &model);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  ASSERT_EQ(evaluation.issues.size(), 2U);
  EXPECT_EQ(evaluation.issues[0].message, "`b` scores 0.75 of at least 0.8");
  EXPECT_EQ(evaluation.issues[1].message, "`c` scores 0.2 of at least 0.8");
}

TEST(Criteria, ThresholdsAreInclusive) {
  FakeModel model({reply(R"({"a":0.8,"b":0.8,"c":0.8})")});
  EXPECT_EQ(checked(list(asked("a", 1, Score(0.8)), asked("b"), asked("c")), &model).outcome,
            core::Outcome::Passed);
}

TEST(Criteria, PatternsAndCommandsAreScoredWithoutAJudge) {
  SystemRunner runner;
  Criterion command = asked("length");
  command.evaluator = std::make_unique<CommandCheck>(
      CommandOptions{.run = "echo '{\"score\": 0.4, \"reason\": \"too short\"}'; exit 1"}, runner);
  const auto evaluation = checked(list(matching("greets", "Hello"), std::move(command)), nullptr);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_EQ(evaluation.score, Score(0.7));
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].message, "`length` scores 0.4 of at least 0.8: too short");
}

TEST(Criteria, OneWithoutAScoreIsAskedAboutOnceMore) {
  FakeModel model({reply(R"({"criteria":{"clarity":1}})"), reply(R"({"criteria":{"tone":0.9}})")});
  const auto evaluation = checked(list(asked("clarity"), asked("tone")), &model);
  EXPECT_EQ(evaluation.score, Score(0.95));
  EXPECT_NE(model.asked[1].messages.back().text.find("it has no score for `tone`"),
            std::string::npos);
}

TEST(Criteria, WhatIsStillMissingThenIsUnknown) {
  FakeModel model({reply(R"({"clarity":1})"), reply(R"({"clarity":1,"tone":9})")});
  const auto evaluation = checked(list(asked("clarity"), asked("tone")), &model);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown);
  EXPECT_FALSE(evaluation.score);
  EXPECT_EQ(evaluation.criteria.size(), 1U);
  EXPECT_EQ(evaluation.error,
            "the judge `fake:model` gave no usable verdict, asked twice: `tone`: the score 9 is "
            "not from 0 to 1");
}

TEST(Criteria, AKnownMissBeatsWhatIsUnknown) {
  FakeModel model({failure(ErrorKind::Unavailable)});
  const auto evaluation =
      checked(list(matching("greets", "Goodbye", Score(1)), asked("tone")), &model);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_EQ(evaluation.score, Score(0));
}

TEST(Criteria, ThoseThatNobodyAskedForDoNotCount) {
  FakeModel model(
      {reply(R"({"criteria":{"clarity":0.9,"humour":0},"suggestions":["Be short."]})")});
  const auto evaluation = checked(list(asked("clarity")), &model);
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.score, Score(0.9));
  EXPECT_EQ(evaluation.criteria.size(), 1U);
  EXPECT_EQ(evaluation.suggestions,
            (std::vector<std::string>{
                "Be short.",
                "warning: the judge `fake:model` also scored `humour`, which nobody "
                "asked for; it does not count"}));
}

TEST(Criteria, AnEmptyOutputFailsWithoutACall) {
  FakeModel model({});
  EXPECT_EQ(checked(list(asked("clarity")), &model, {}, " ").outcome, core::Outcome::Failed);
}

TEST(Criteria, BadOnesAreRefusedWithASentence) {
  FakeModel model({});
  EXPECT_EQ(refusal_of({}),
            "the check `style` has no criteria | give a list of them, each with a `name`");
  EXPECT_EQ(
      refusal_of(list(asked(" ")), &model),
      "the check `style` has a criterion without a name | give each a `name`, such as clarity");
  EXPECT_EQ(refusal_of(list(asked("Edge cases"), asked("edge_cases")), &model),
            "the check `style` has the criterion `edge_cases` twice | give each a name of its own");
  EXPECT_EQ(
      refusal_of(list(asked("tone"))),
      "the check `style` has no judge to score `tone` | name a model for `evaluate`, or give the "
      "criterion a `pattern` or a command");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double weight : {0.0, -1.0, infinite, -infinite, std::nan("")}) {
    EXPECT_EQ(
        refusal_of(list(asked("tone", weight)), &model),
        fmt::format("the check `style` gives `tone` the weight {} | give a weight above 0, or "
                    "leave the criterion out",
                    weight));
  }
}

TEST(Criteria, IdentityCoversWhatTheJudgeIsTold) {
  FakeModel model({});
  const auto identity = [&](std::vector<Criterion> criteria) {
    return CriteriaCheck(std::move(criteria), {.judge = &model}).identity();
  };
  EXPECT_EQ(identity(list(asked("a"))), identity(list(asked("a", 2))));
  EXPECT_NE(identity(list(asked("a"))), identity(list(asked("b"))));
  EXPECT_EQ(identity(list(asked("a"))).model, "fake:model");
}

TEST(Criteria, EveryTaskTypeHasDefaults) {
  EXPECT_EQ(default_criteria("code").size(), 4U);
  EXPECT_EQ(default_criteria("writing").size(), 4U);
  EXPECT_EQ(default_criteria("analysis").size(), 4U);
  EXPECT_EQ(default_criteria("reasoning").size(), 3U);
  EXPECT_EQ(default_criteria("reasoning")[0].name, "logical_validity");
  EXPECT_FALSE(default_criteria("code")[3].description.empty());
}

// Whatever scores and weights: the total lies between the lowest and the highest score, and the
// outcome is what total and thresholds say.
RC_GTEST_PROP(Criteria, TheTotalIsAMeanByWeight, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<Criterion> criteria;
  std::string replies;
  double low = 1, high = 0;
  bool met = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double score = *rc::gen::inRange(0, 101) / 100.0;
    const double own = *rc::gen::inRange(0, 101) / 100.0;
    criteria.push_back(asked(fmt::format("c{}", i), *rc::gen::inRange(1, 1000) / 10.0, Score(own)));
    replies += fmt::format("{}\"c{}\":{}", i == 0 ? "{" : ",", i, score);
    low = std::min(low, score);
    high = std::max(high, score);
    met = met && score >= own;
  }
  FakeModel model({reply(replies + "}")});
  const auto evaluation = checked(std::move(criteria), &model, {.threshold = Score(0.5)});
  const double total = evaluation.score->value();
  RC_ASSERT(total >= low - 1e-9);
  RC_ASSERT(total <= high + 1e-9);
  RC_ASSERT((evaluation.outcome == core::Outcome::Passed) == (met && total >= 0.5));
  RC_ASSERT((evaluation.outcome == core::Outcome::Failed) == !evaluation.issues.empty());
}

}  // namespace
}  // namespace hone::evaluate
