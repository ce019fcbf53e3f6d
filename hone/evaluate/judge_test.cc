#include "hone/evaluate/judge.h"

#include <gtest/gtest.h>

#include <utility>

#include "hone/base/error.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

core::Run some_run() {
  core::Run run;
  run.task.prompt = "Say yes.";
  run.task.type = "writing";
  return run;
}

core::Evaluation judged(core::Model& model, JudgeOptions options = {}, std::string text = "yes") {
  Judge judge(model, std::move(options));
  return evaluation_in(some_run(), judge, std::move(text));
}

const std::string kPass = R"({"passed": true, "score": 0.9})";
const std::string kFail = R"({"passed": false, "score": 0.3, "reason": "it says no"})";

TEST(Judge, PassesAndFailsByItsVerdict) {
  FakeModel passing({reply(kPass)});
  EXPECT_EQ(judged(passing).outcome, core::Outcome::Passed);
  FakeModel failing({reply(kFail)});
  const core::Evaluation evaluation = judged(failing, {.name = "style"});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_EQ(evaluation.score, Score(0.3));
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].message, "it says no");
  EXPECT_EQ(evaluation.issues[0].check, "style");
}

TEST(Judge, AsksAsAnEvaluatorWithASchemaAndNoRandomness) {
  FakeModel model({reply(kPass)});
  judged(model, {.rubric = "Be kind."});
  ASSERT_EQ(model.asked.size(), 1U);
  const core::ModelRequest& request = model.asked[0];
  EXPECT_EQ(model.paths[0], "attempt/1/evaluate/ask/1");
  EXPECT_EQ(request.role, core::Role::Evaluate);
  EXPECT_EQ(request.attempt, 1);
  EXPECT_EQ(request.sampling.temperature, 0.0);
  EXPECT_EQ(request.sampling.max_tokens, Tokens{512});
  EXPECT_FALSE(request.sampling.seed);
  EXPECT_FALSE(request.drafts);
  EXPECT_TRUE(request.schema);
  EXPECT_NE(request.messages.back().text.find("Be kind."), std::string::npos);
  EXPECT_EQ(request.messages.back().text.find("Criteria"), std::string::npos);
}

TEST(Judge, WithoutARubricGoesByTheCriteriaOfTheTaskType) {
  FakeModel model({reply(kPass)});
  judged(model);
  EXPECT_NE(model.asked[0].messages.back().text.find("clarity, coherence, completeness, tone"),
            std::string::npos);
}

struct Unusable {
  const char* name;
  Step step;
  const char* said;
};

std::vector<Unusable> unusable() {
  return {{"prose", reply("It is valid."), "no verdict in JSON"},
          {"nothing", reply(""), "it is empty"},
          {"contradiction", reply(R"({"passed": true, "score": 0.1})"), "gives the score 0.1"},
          {"two verdicts", reply("score: 0.1\nscore: 1"), "different scores"},
          {"out of range", reply("score: 8"), "not from 0 to 1"},
          {"cut off", reply(kPass, core::Finish::Length), "cut off"},
          {"interrupted", reply(kPass, core::Finish::Interrupted), "interrupted"},
          {"refused", failure(ErrorKind::Refused), "refused"}};
}

TEST(Judge, AsksOnceMoreAndSaysWhatWasWrong) {
  for (const Unusable& one : unusable()) {
    FakeModel model({one.step, reply(kFail)});
    EXPECT_EQ(judged(model).outcome, core::Outcome::Failed) << one.name;
    ASSERT_EQ(model.asked.size(), 2U) << one.name;
    EXPECT_EQ(model.paths[1], "attempt/1/evaluate/ask/2");
    const std::string& again = model.asked[1].messages.back().text;
    EXPECT_TRUE(again.starts_with(model.asked[0].messages.back().text)) << one.name;
    EXPECT_NE(again.find(one.said), std::string::npos) << again;
  }
}

TEST(Judge, IsUnknownAfterASecondUnusableReply) {
  for (const Unusable& one : unusable()) {
    FakeModel model({one.step, one.step});
    const core::Evaluation evaluation = judged(model);
    EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown) << one.name;
    EXPECT_FALSE(evaluation.score) << one.name;
    ASSERT_TRUE(evaluation.error) << one.name;
    EXPECT_NE(evaluation.error->find(one.said), std::string::npos) << *evaluation.error;
    EXPECT_EQ(model.asked.size(), 2U) << one.name;
  }
}

TEST(Judge, IsUnknownAtOnceWhenTheModelDoesNotAnswer) {
  for (const ErrorKind kind :
       {ErrorKind::Unavailable, ErrorKind::Overloaded, ErrorKind::DeadlineExceeded}) {
    FakeModel model({failure(kind)});
    EXPECT_EQ(judged(model).outcome, core::Outcome::Unknown);
    EXPECT_EQ(model.asked.size(), 1U);
  }
}

TEST(Judge, PassesOtherFailuresOn) {
  for (const ErrorKind kind : {ErrorKind::Cancelled, ErrorKind::BudgetExhausted,
                               ErrorKind::InvalidInput, ErrorKind::Corrupt, ErrorKind::Internal}) {
    FakeModel model({failure(kind)});
    EXPECT_THROW(judged(model), Error) << to_string(kind);
  }
}

TEST(Judge, KeepsTheAttemptWhenTheBudgetEndsBeforeTheSecondAsk) {
  FakeModel model({reply("It is valid."), failure(ErrorKind::BudgetExhausted)});
  EXPECT_EQ(judged(model).outcome, core::Outcome::Unknown);
}

TEST(Judge, TheEndOfTheRunsTimeIsNotItsOwnTimeLimit) {
  core::TestScene scene;
  core::Context context = scene.context();
  context.deadline = scene.clock().now();
  FakeModel model({failure(ErrorKind::DeadlineExceeded)});
  Judge judge(model);
  const core::Run run = some_run();
  const core::Output output{.text = "yes"};
  core::Evaluation evaluation;
  EXPECT_THROW(run_sync([&] { return evaluate_into(evaluation, context, judge, run, output); }),
               Error);
}

TEST(Judge, AnEmptyOutputFailsWithoutACall) {
  for (const char* text : {"", " \n\t"}) {
    FakeModel model({});
    const core::Evaluation evaluation = judged(model, {}, text);
    EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
    ASSERT_EQ(evaluation.issues.size(), 1U);
    EXPECT_TRUE(model.asked.empty());
  }
}

TEST(Judge, SeedsDependOnTheBaseAndThePath) {
  FakeModel model({reply("?"), reply(kPass)});
  judged(model, {.sampling = {.seed = 7}});
  FakeModel same({reply(kPass)});
  judged(same, {.sampling = {.seed = 7}});
  FakeModel other({reply(kPass)});
  judged(other, {.sampling = {.seed = 8}});
  ASSERT_TRUE(model.asked[0].sampling.seed);
  EXPECT_EQ(model.asked[0].sampling.seed, same.asked[0].sampling.seed);
  EXPECT_NE(model.asked[0].sampling.seed, model.asked[1].sampling.seed);
  EXPECT_NE(model.asked[0].sampling.seed, other.asked[0].sampling.seed);
}

TEST(Judge, TheIdentityOfItsPromptCoversRubricAndThreshold) {
  const auto hash = [](JudgeOptions options) {
    FakeModel model({reply(kPass)});
    judged(model, std::move(options));
    return model.asked[0].prompt.hash;
  };
  EXPECT_EQ(hash({.rubric = "a"}), hash({.rubric = "a"}));
  EXPECT_NE(hash({.rubric = "a"}), hash({.rubric = "b"}));
  EXPECT_NE(hash({.rubric = "a"}), hash({.criteria = "a"}));
  EXPECT_NE(hash({.rubric = "a"}), hash({.rubric = "a", .threshold = Score(0.7)}));
}

TEST(Judge, SeveralSamplesGiveMedianAndRange) {
  FakeModel model({reply("score: 1"), reply("score: 0.8"), reply("score: 0.1")});
  const core::Evaluation evaluation = judged(model, {.samples = 3});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_NEAR(evaluation.score->value(), 0.8, 1e-9);
  EXPECT_EQ(evaluation.interval, (core::Interval{0.1, 1}));
  EXPECT_EQ(evaluation.samples, 3);
  EXPECT_EQ(model.paths.back(), "attempt/1/evaluate/sample/3/ask/1");
}

TEST(Judge, MostSamplesMustPassAndUnknownOnesDoNotCount) {
  FakeModel split({reply("score: 1"), reply("score: 0.7"), reply("score: 0.7")});
  EXPECT_EQ(judged(split, {.samples = 3}).outcome, core::Outcome::Failed);
  FakeModel silent({failure(ErrorKind::Unavailable), reply("score: 0.9")});
  const core::Evaluation evaluation = judged(silent, {.samples = 2});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.samples, 1);
  FakeModel mute({failure(ErrorKind::Unavailable), failure(ErrorKind::Unavailable)});
  EXPECT_EQ(judged(mute, {.samples = 2}).outcome, core::Outcome::Unknown);
}

TEST(Judge, NeedsAtLeastOneSample) {
  FakeModel model({});
  EXPECT_THROW(Judge(model, {.samples = 0}), Error);
}

}  // namespace
}  // namespace hone::evaluate
