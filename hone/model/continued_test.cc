#include "hone/model/continued.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

#include "hone/core/paid_error.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

// Answers in order and keeps what it was asked, and where.
class Answers final : public core::Model {
 public:
  struct Answer {
    std::string text;
    core::Finish finish = core::Finish::Complete;
    std::optional<Error> failure = {};
  };
  struct Seen {
    std::vector<core::ModelRequest> requests;
    std::vector<std::string> paths;
  };
  Answers(std::deque<Answer> answers, Seen& seen) : answers_(std::move(answers)), seen_(seen) {}

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    seen_.requests.push_back(request);
    seen_.paths.push_back(context.path);
    const Answer answer = answers_.front();
    answers_.pop_front();
    const core::Usage usage{.calls = 1, .input = {10}, .output = {3}};
    if (answer.failure) throw core::PaidError(*answer.failure, usage);
    core::ModelReply reply{answer.text, answer.finish, "a-1", usage};
    if (request.drafts) context.emit(core::Draft{request.attempt, answer.text});
    co_return reply;
  }
  std::string name() const override { return "answers"; }

 private:
  std::deque<Answer> answers_;
  Seen& seen_;
};

constexpr auto kLength = core::Finish::Length;

class ContinuedTest : public testing::Test {
 protected:
  core::ModelReply ask(std::deque<Answers::Answer> answers) {
    Continued model(std::make_unique<Answers>(std::move(answers), seen_));
    core::Context context = call_.context();
    context.path = "attempt/1/generate/ask/1";
    return call_.reply_in(context, model, request_);
  }

  Answers::Seen seen_;
  Call call_;
  core::ModelRequest request_ = Asked{core::Role::Generate, 1, "Write."};
};

TEST_F(ContinuedTest, LeavesWholeAnswersAlone) {
  EXPECT_EQ(ask({{"whole"}}).text, "whole");
  EXPECT_EQ(ask({{"cut", core::Finish::Interrupted}}).finish, core::Finish::Interrupted);
  EXPECT_EQ(seen_.requests.size(), 2U);
}

TEST_F(ContinuedTest, JoinsTheHalfAndItsRestIntoOneReply) {
  const auto reply = ask({{"The first half, ", kLength}, {"and the rest."}});
  EXPECT_EQ(reply.text, "The first half, and the rest.");
  EXPECT_EQ(reply.finish, core::Finish::Complete);
  const core::Usage both{.calls = 2, .input = {20}, .output = {6}};
  EXPECT_EQ(reply.usage, both);
}

TEST_F(ContinuedTest, ShowsTheModelItsHalfAtAPlaceOfItsOwn) {
  ask({{"half", kLength}, {"rest"}});
  ASSERT_EQ(seen_.requests.size(), 2U);
  EXPECT_EQ(seen_.paths[1], "attempt/1/generate/ask/1/continue/1");
  const auto& messages = seen_.requests[1].messages;
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[0], request_.messages[0]);
  EXPECT_EQ(messages[1].text, "half");
  EXPECT_EQ(messages[1].speaker, core::Speaker::Assistant);
  EXPECT_EQ(messages[2].speaker, core::Speaker::User);
}

TEST_F(ContinuedTest, StaysHalfWhenTheRestIsHalfToo) {
  const auto reply = ask({{"one ", kLength}, {"two ", kLength}});
  EXPECT_EQ(reply.text, "one two ");
  EXPECT_EQ(reply.finish, kLength);
  EXPECT_EQ(seen_.requests.size(), 2U);
}

TEST_F(ContinuedTest, MakesJsonOfASchemaAgainWithTwiceTheRoom) {
  request_.schema = JsonText{R"({"type":"object"})"};
  request_.sampling.max_tokens = Tokens{100};
  const auto reply = ask({{R"({"a":)", kLength}, {R"({"a":1})"}});
  EXPECT_EQ(reply.text, R"({"a":1})");
  EXPECT_EQ(reply.usage.calls, 2);
  EXPECT_EQ(seen_.requests[1].sampling.max_tokens, Tokens{200});
  EXPECT_EQ(seen_.requests[1].messages, request_.messages);
}

TEST_F(ContinuedTest, MakesAnEmptyHalfAgainWithTwiceTheRoom) {
  EXPECT_EQ(ask({{"", kLength}, {"whole"}}).text, "whole");
  EXPECT_EQ(seen_.requests[1].sampling.max_tokens, Tokens{2 * core::kDefaultMaxTokens.count});
}

TEST_F(ContinuedTest, MakesItAgainWhenTheModelAddsNothing) {
  const auto reply = ask({{"half", kLength}, {" "}, {"whole"}});
  EXPECT_EQ(reply.text, "whole");
  EXPECT_EQ(reply.usage.calls, 3);
  EXPECT_EQ(seen_.paths[2], "attempt/1/generate/ask/1/continue/2");
}

TEST_F(ContinuedTest, LeavesTheStartsOfAnswersAloneThatChoicesAskFor) {
  request_.choices = {"yes", "no"};
  EXPECT_EQ(ask({{"yes", kLength}}).finish, kLength);
  EXPECT_EQ(seen_.requests.size(), 1U);
}

TEST_F(ContinuedTest, KeepsTheHalfThatWasPaidForWhenTheRestFails) {
  const Error exhausted(ErrorKind::BudgetExhausted, "nothing left");
  const auto reply = ask({{"half", kLength}, {"", kLength, exhausted}});
  EXPECT_EQ(reply.text, "half");
  EXPECT_EQ(reply.finish, kLength);
  EXPECT_EQ(reply.usage.calls, 2);
}

TEST_F(ContinuedTest, PassesACancellationOn) {
  const Error cancelled(ErrorKind::Cancelled, "stop");
  EXPECT_THROW(ask({{"half", kLength}, {"", kLength, cancelled}}), Error);
}

TEST_F(ContinuedTest, DraftsGiveTheJoinedText) {
  request_.drafts = true;
  const auto reply = ask({{"It was a dark and stormy", kLength}, {"dark and stormy night."}});
  EXPECT_EQ(reply.text, "It was a dark and stormy night.");
  EXPECT_EQ(call_.drafted(1), reply.text);
}

TEST_F(ContinuedTest, DraftsOfAHalfAreTakenBackWhenItIsMadeAgain) {
  request_.drafts = true;
  request_.schema = JsonText{"{}"};
  ask({{"{", kLength}, {"{}"}});
  EXPECT_EQ(call_.count<core::Retracted>(), 1U);
  EXPECT_EQ(call_.drafted(1), "{{}");
}

TEST(JoinedHalves, AreOneText) {
  struct Case {
    std::string first;
    std::string second;
    std::string joined;
  };
  const Case cases[] = {
      {"a", "b", "ab"},
      {"", "b", "b"},
      {"a", "", "a"},
      {"the end of that line", "of that line. Then", "the end of that line. Then"},
      {"aha", "aha", "ahaaha"},  // Too short to be a repetition.
      {"```python\nx = 1\ny", "```python\n = 2\n```", "```python\nx = 1\ny = 2\n```"},
      {"```\nx", "\n```\nDone.", "```\nx\n```\nDone."},
      {"No code yet. ", "```python\nx\n```", "No code yet. ```python\nx\n```"},
  };
  for (const auto& [first, second, joined] : cases) EXPECT_EQ(joined_halves(first, second), joined);
}

RC_GTEST_PROP(JoinedHalves, KeepAllOfTheFirstAndEndLikeTheSecond, ()) {
  const auto first = *rc::gen::arbitrary<std::string>();
  const auto second = *rc::gen::arbitrary<std::string>();
  const std::string joined = joined_halves(first, second);
  RC_ASSERT(joined.starts_with(first));
  RC_ASSERT(joined.size() <= first.size() + second.size());
  RC_ASSERT(second.ends_with(std::string_view(joined).substr(first.size())));
}

}  // namespace
}  // namespace hone::model
