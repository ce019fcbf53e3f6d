// Examples, probabilities and sequential asking of judges.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

#include "hone/evaluate/judge.h"
#include "hone/evaluate/testing.h"
#include "hone/evaluate/word_verdict.h"

namespace hone::evaluate {
namespace {

core::Run some_run() {
  core::Run run;
  run.task.prompt = "Say yes.";
  return run;
}

core::Evaluation judged(core::Model& model, JudgeOptions options) {
  Judge judge(model, std::move(options));
  return evaluation_in(some_run(), judge, "maybe");
}

Step score(const std::string& value) { return reply("score: " + value); }

std::string refusal_of(JudgeOptions options) {
  FakeModel model({});
  try {
    Judge judge(model, std::move(options));
  } catch (const Error& error) {
    return error.message() + " | " + error.hint();
  }
  return "no error";
}

TEST(JudgeExamples, AreShownWithTheirVerdicts) {
  FakeModel model({score("1")});
  judged(model, {.rubric = "r", .examples = {{"too bad", false, Score(0.2), "it is bad"}}});
  const std::string& prompt = model.asked[0].messages.back().text;
  EXPECT_NE(prompt.find("too bad"), std::string::npos);
  EXPECT_NE(prompt.find(R"({"passed":false,"score":0.2,"reason":"it is bad"})"), std::string::npos);
}

TEST(JudgeExamples, WithoutAVerdictAreRefused) {
  EXPECT_EQ(refusal_of({.examples = {{"a", true, {}, ""}, {"b", {}, {}, "good"}}}),
            "example 2 of the judge `judge` has no verdict | give `passed`, `score` or both");
}

TEST(JudgeExamples, ThatContradictThemselvesAreRefused) {
  const std::string refusal = refusal_of({.examples = {{"a", false, Score(0.9), ""}}});
  EXPECT_TRUE(refusal.starts_with("example 1 of the judge `judge` contradicts itself: "))
      << refusal;
}

TEST(JudgeIdentity, CoversAllThatAVerdictRestsOnButTheOutput) {
  FakeModel model({});
  const auto hash = [&](JudgeOptions options) {
    return Judge(model, std::move(options)).identity();
  };
  const core::JudgeIdentity plain = hash({.rubric = "a"});
  EXPECT_EQ(plain.model, "fake:model");
  EXPECT_EQ(plain.rubric.size(), 12U);
  EXPECT_EQ(plain, hash({.rubric = "a", .samples = 3}));
  EXPECT_NE(plain, hash({.rubric = "b"}));
  EXPECT_NE(plain, hash({.rubric = "a", .criteria = "tone"}));
  EXPECT_NE(plain, hash({.rubric = "a", .threshold = Score(0.7)}));
  EXPECT_NE(plain, hash({.rubric = "a", .examples = {{"x", true, {}, ""}}}));
  EXPECT_NE(plain, hash({.rubric = "a", .score = ScoreFrom::Probability}));
}

TEST(JudgeIdentity, StandsInTheVerdict) {
  FakeModel model({score("0.9")});
  Judge judge(model, {.rubric = "a"});
  EXPECT_EQ(evaluation_of(judge, "x").judge, judge.identity());
  EXPECT_EQ(evaluation_of(judge, " ").judge, std::nullopt) << "nobody was asked";
}

TEST(JudgeProbability, IsTheScoreWhereTheModelTellsIt) {
  FakeModel model({reply("yes", core::Finish::Complete, {0.6, 0.2})});
  const auto evaluation = judged(model, {.threshold = Score(0.7), .tells_probabilities = true});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_NEAR(evaluation.score->value(), 0.75, 1e-9);
  EXPECT_EQ(model.asked[0].choices, (std::vector<std::string>{"yes", "no"}));
  EXPECT_FALSE(model.asked[0].schema);
  EXPECT_NE(model.asked[0].messages.back().text.find("First word: yes or no."), std::string::npos);
}

TEST(JudgeProbability, FaultsFollowANo) {
  FakeModel model({reply("no\n- the sum is wrong\n* the title is missing\n", core::Finish::Complete,
                         {0.1, 0.9})});
  const auto evaluation = judged(model, {.tells_probabilities = true});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_NEAR(evaluation.score->value(), 0.1, 1e-9);
  ASSERT_EQ(evaluation.issues.size(), 2U);
  EXPECT_EQ(evaluation.issues[0].message, "the sum is wrong");
  EXPECT_EQ(evaluation.issues[1].kind, "judge");
}

TEST(JudgeProbability, AModelThatTellsNoneIsTakenAtItsWord) {
  for (const auto& [text, expected] :
       {std::pair("Yes.", 1.0), {"NO, it is short", 0.0}, {R"({"score": 0.4})", 0.4}}) {
    FakeModel model({reply(text)});
    const auto evaluation = judged(model, {.score = ScoreFrom::Probability});
    EXPECT_EQ(evaluation.score, Score(expected)) << text;
  }
}

TEST(JudgeProbability, IsNotAskedForWhereTheModelCannotTellOrNobodyWantsIt) {
  for (const auto& [from, tells] : {std::pair(ScoreFrom::Auto, false), {ScoreFrom::Stated, true}}) {
    FakeModel model({score("0.9")});
    EXPECT_EQ(judged(model, {.score = from, .tells_probabilities = tells}).score, Score(0.9));
    EXPECT_TRUE(model.asked[0].choices.empty());
    EXPECT_TRUE(model.asked[0].schema);
  }
}

TEST(JudgeProbability, AnotherWordIsAskedAboutOnceMore) {
  FakeModel model({reply("Maybe."), reply("no")});
  EXPECT_EQ(judged(model, {.score = ScoreFrom::Probability}).outcome, core::Outcome::Failed);
  EXPECT_EQ(model.asked.size(), 2U);
}

RC_GTEST_PROP(WordVerdict, NumbersThatAreNoProbabilitiesNeverBecomeAScore,
              (double yes, double no)) {
  core::ModelReply told;
  told.text = "yes";
  told.probabilities = {yes, no};
  const auto read = read_word_verdict(told);
  RC_ASSERT(std::holds_alternative<prompt::Verdict>(read));
  const auto& verdict = std::get<prompt::Verdict>(read);
  RC_ASSERT(verdict.score.has_value() != verdict.passed.has_value());
}

struct SequentialCase {
  const char* name;
  std::vector<std::string> scores;
  std::size_t asked;
  core::Outcome outcome;
};

TEST(JudgeSequential, AsksOnlyWhileTheIntervalStraddlesTheThreshold) {
  using enum core::Outcome;
  const SequentialCase cases[] = {
      {"both pass", {"0.9", "0.8", "0", "0", "0"}, 2, Passed},
      {"both fail", {"0.1", "0.7", "1", "1", "1"}, 2, Failed},
      {"apart", {"0.9", "0.1", "0.9", "0.9", "0.9"}, 5, Passed},
      {"apart, and most fail", {"0.9", "0.1", "0.1", "0.1", "0.9"}, 5, Failed},
      {"nobody could be read", {"?", "?", "?", "?", "1", "1", "1"}, 6, Passed},
  };
  for (const SequentialCase& test : cases) {
    std::deque<Step> steps;
    for (const std::string& value : test.scores) steps.push_back(score(value));
    FakeModel model(std::move(steps));
    const auto evaluation = judged(model, {.samples = 5, .sequential = true});
    EXPECT_EQ(evaluation.outcome, test.outcome) << test.name;
    EXPECT_EQ(model.asked.size(), test.asked) << test.name;
  }
}

}  // namespace
}  // namespace hone::evaluate
