#include "hone/evaluate/compare.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hone/base/text.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

core::Run run_with(const std::vector<std::pair<std::string, core::Evaluation>>& attempts = {}) {
  core::Run run;
  run.task.prompt = "Name a fruit.";
  for (const auto& [text, evaluation] : attempts) {
    core::Attempt attempt;
    attempt.number = run.next_number();
    attempt.output.text = text;
    attempt.evaluation = evaluation;
    run.attempts.push_back(std::move(attempt));
  }
  return run;
}

core::Evaluation compared(core::Model& model, const std::string& text,
                          const std::string& reference) {
  CompareCheck check(model, {.against = Reference{reference}});
  return evaluation_in(run_with(), check, text);
}

core::Evaluation compared_with_prior(core::Model& model, const std::string& text,
                                     const core::Run& run) {
  CompareCheck check(model, {.against = PriorVersion()});
  return evaluation_in(run, check, text);
}

Step says(const std::string& better, const std::string& reason = "") {
  return reply(R"({"better":")" + better + R"(","reason":")" + reason + "\"}");
}

// The text that a request calls A.
std::string first_text(const core::ModelRequest& request) {
  const std::string& prompt = request.messages.back().text;
  const auto begin = prompt.find(">\n", prompt.find("\nA:\n")) + 2;
  return prompt.substr(begin, prompt.find("\n</", begin) - begin);
}

TEST(Compare, PassesWhenBothOrdersPreferTheOutput) {
  FakeModel model({says("A", "riper"), says("B")});
  const auto evaluation = compared(model, "a pear", "a stone");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.score, Score(1));
  EXPECT_EQ(evaluation.samples, 2);
  EXPECT_EQ(first_text(model.asked[0]), "a pear");
  EXPECT_EQ(first_text(model.asked[1]), "a stone");
  EXPECT_EQ(model.paths, (std::vector<std::string>{"attempt/1/evaluate/order/1/ask/1",
                                                   "attempt/1/evaluate/order/2/ask/1"}));
}

TEST(Compare, FailsWhenBothPreferTheOther) {
  FakeModel model({says("B", "it is no fruit"), says("A")});
  const auto evaluation = compared(model, "a stone", "a pear");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_EQ(evaluation.score, Score(0));
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].message, "it is worse than the reference: it is no fruit");
  EXPECT_EQ(evaluation.issues[0].kind, "compare");
}

TEST(Compare, AnswersThatChangeWithTheOrderAreUnknown) {
  for (const auto& [first, second] :
       {std::pair("A", "A"), {"B", "B"}, {"A", "tie"}, {"tie", "A"}, {"B", "tie"}}) {
    FakeModel model({says(first), says(second)});
    const auto evaluation = compared(model, "a pear", "an apple");
    EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown) << first << second;
    EXPECT_FALSE(evaluation.score);
    EXPECT_NE(evaluation.error->find("changes its mind with the order"), std::string::npos);
  }
}

TEST(Compare, AsGoodAsTheReferenceIsGoodEnoughAndAsGoodAsBeforeIsNot) {
  FakeModel model({says("tie"), says("tie"), says("tie"), says("tie")});
  const auto evaluation = compared(model, "a pear", "an apple");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.score, Score(0.5));
  const auto prior =
      compared_with_prior(model, "a pear", run_with({{"an apple", core::failed(Score(0), {})}}));
  EXPECT_EQ(prior.outcome, core::Outcome::Failed);
  EXPECT_EQ(prior.score, Score(0.5));
  EXPECT_EQ(prior.issues[0].message, "it is no better than the best version so far");
}

TEST(Compare, TheSameTextIsATieWithoutACall) {
  FakeModel model({});
  EXPECT_EQ(compared(model, "a pear\n", "a pear").score, Score(0.5));
}

TEST(Compare, TheFirstAttemptHasNothingToCompareWith) {
  FakeModel model({});
  const auto evaluation = compared_with_prior(model, "a pear", run_with());
  EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown);
  EXPECT_EQ(evaluation.error, "there is no other attempt to compare with yet");
}

TEST(Compare, TheBestOtherAttemptIsThePriorVersion) {
  FakeModel model({says("A"), says("B")});
  const auto run = run_with({{"bad", core::failed(Score(0.1), {})},
                             {"best", core::failed(Score(0.6), {})},
                             {"a pear", core::passed()},
                             {"worse", core::failed(Score(0.5), {})}});
  EXPECT_EQ(compared_with_prior(model, "a pear", run).outcome, core::Outcome::Passed);
  EXPECT_EQ(first_text(model.asked[1]), "best");
}

TEST(Compare, AReplyThatCannotBeReadIsAskedAboutOnceMoreThenUnknown) {
  FakeModel model({reply("Both are fine."), says("A"), reply("?"), reply("?")});
  const auto evaluation = compared(model, "a pear", "a stone");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown);
  EXPECT_NE(evaluation.error->find("asked twice"), std::string::npos);
}

TEST(Compare, AJudgeThatDoesNotAnswerIsNotAskedInTheOtherOrder) {
  FakeModel model({failure(ErrorKind::Unavailable)});
  EXPECT_EQ(compared(model, "a pear", "a stone").outcome, core::Outcome::Unknown);
  EXPECT_EQ(model.asked.size(), 1U);
}

TEST(Compare, WithoutAReferenceIsRefusedWithASentence) {
  FakeModel model({});
  try {
    CompareCheck check(model, {.against = Reference{" \n"}});
    FAIL() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_EQ(error.message(), "the check `compare` has nothing to compare with");
    EXPECT_NE(error.hint().find("give `reference`"), std::string::npos);
  }
}

std::string some_text() { return "t" + *rc::gen::string<std::string>(); }

RC_GTEST_PROP(Compare, AJudgeThatPrefersAPositionDecidesNothing, ()) {
  const std::string position = *rc::gen::element<std::string>("A", "B");
  FunctionModel model(
      [&](const core::ModelRequest&) { return R"({"better":")" + position + "\"}"; });
  const std::string text = some_text();
  const std::string other = some_text() + "x";
  RC_PRE(trim(text) != trim(other));
  RC_ASSERT(compared(model, text, other).outcome == core::Outcome::Unknown);
  const auto prior =
      compared_with_prior(model, text, run_with({{other, core::failed(Score(0), {})}}));
  RC_ASSERT(prior.outcome == core::Outcome::Unknown);
}

RC_GTEST_PROP(Compare, AJudgeThatGoesByTheTextsIsFollowedInAnyOrder, ()) {
  const auto digits = [] { return std::to_string(*rc::gen::inRange(100, 1000)); };
  const std::string text = digits();
  const std::string other = digits();
  FunctionModel model([&](const core::ModelRequest& request) {
    const std::string first = first_text(request);
    const std::string& second = first == text ? other : text;
    return first == second ? "tie" : std::string(first > second ? "A" : "B");
  });
  const auto evaluation = compared(model, text, other);
  const auto expected = text >= other ? core::Outcome::Passed : core::Outcome::Failed;
  RC_ASSERT(evaluation.outcome == expected);
  RC_ASSERT(evaluation.score == Score(text == other ? 0.5 : text > other ? 1 : 0));
}

}  // namespace
}  // namespace hone::evaluate
