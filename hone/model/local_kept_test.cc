// What the embedded model has read is not read again: over calls, samples and conversations.
#include <gtest/gtest.h>

#include <cmath>

#include "hone/async/group.h"
#include "hone/model/local_testing.h"

namespace hone::model {
namespace {

class LocalKept : public Local {
 protected:
  // Different from its first token of text on.
  static core::ModelRequest about(int topic, int max_tokens = 2) {
    core::ModelRequest asked = request("What is it?", max_tokens);
    asked.messages.front().text = std::to_string(topic) + " is the topic of this conversation.";
    return asked;
  }
  // How many tokens any two conversations have in common.
  static constexpr std::int64_t kFrame = 4;
};

TEST_F(LocalKept, ReadsARepeatedPromptOnce) {
  const core::ModelReply first = ask(request("Name a colour that begins with g."));
  const core::ModelReply second = ask(request("Name a colour that begins with g."));
  EXPECT_EQ(second.usage.input, first.usage.input);
  EXPECT_EQ(second.usage.cached, first.usage.input);
  EXPECT_EQ(second.text.substr(0, 2), first.text.substr(0, 2));
}

TEST_F(LocalKept, ReadsOnlyWhatFollowsTheCommonStart) {
  const std::string memo =
      "The memo: sales rose by four percent in the third quarter of the year. ";
  ask(request("Something else entirely."));
  const core::ModelReply first = ask(request(memo + "What rose?"));
  const core::ModelReply second = ask(request(memo + "By how much did sales rise?"));
  EXPECT_LT(first.usage.cached.count, 20);
  EXPECT_GE(second.usage.cached.count, first.usage.input.count - 12);
  EXPECT_LT(second.usage.cached, second.usage.input);
}

TEST_F(LocalKept, ContinuesAConversationFromItsOwnAnswer) {
  core::ModelRequest asked = request("Name a fruit.", 30);
  const core::ModelReply first = ask(asked);
  asked.messages.push_back({Speaker::Assistant, first.text});
  asked.messages.push_back({Speaker::User, "Another one."});
  EXPECT_GE(ask(asked).usage.cached.count, first.usage.input.count);
}

TEST_F(LocalKept, SamplesOfOnePromptReadItOnce) {
  core::ModelRequest asked = request("Invent a name for a cat.", 8);
  asked.sampling.temperature = 1.0;
  LocalModel fresh(*small().weights, options());
  std::vector<core::ModelReply> replies(4);
  const std::function<async<void>(std::size_t)> each = [&](std::size_t i) {
    return start(fresh, asked, replies[i]);
  };
  run_sync([&] { return for_each_index(replies.size(), replies.size(), each); });
  std::int64_t read = 0;
  for (const auto& reply : replies) read += reply.usage.input.count - reply.usage.cached.count;
  EXPECT_EQ(read, replies.front().usage.input.count);
}

TEST_F(LocalKept, AConversationIsStillThereAfterOthers) {
  LocalModel fresh(*small().weights, options());
  const std::int64_t input = ask(fresh, about(1)).usage.input.count;
  for (int topic = 2; topic <= 7; ++topic) {
    EXPECT_LE(ask(fresh, about(topic)).usage.cached.count, kFrame) << topic;
  }
  EXPECT_EQ(ask(fresh, about(1)).usage.cached.count, input);
}

TEST_F(LocalKept, WhatWasUsedLongestAgoMakesRoom) {
  LocalModel fresh(*small().weights, options());
  for (int topic = 1; topic <= 9; ++topic) ask(fresh, about(topic));
  EXPECT_LE(ask(fresh, about(1)).usage.cached.count, kFrame);
  const core::ModelReply last = ask(fresh, about(9));
  EXPECT_EQ(last.usage.cached, last.usage.input);
}

TEST_F(LocalKept, AFullContextMakesRoom) {
  LocalOptions narrow = options();
  narrow.context = 512;
  LocalModel fresh(*small().weights, narrow);
  std::string many;
  for (int i = 0; i < 60; ++i) many += "word" + std::to_string(i) + " ";
  for (int topic = 1; topic <= 4; ++topic) {
    core::ModelRequest asked = about(topic, 20);
    asked.messages.back().text = many;
    const core::ModelReply reply = ask(fresh, asked);
    EXPECT_GT(reply.usage.input.count, 150);
    EXPECT_FALSE(reply.text.empty());
  }
}

// Sums are added up in another order when other tokens are in the context, so the likelihoods may
// differ a little, and with them a close decision.
TEST_F(LocalKept, AnAnswerHardlyDependsOnWhatWasKept) {
  std::vector<core::ModelRequest> asked;
  for (const char* text : {"Is the sky blue?", "Is the sky blue and green?", "Is water dry?"}) {
    asked.push_back(request(text, 2));
    asked.back().choices = {"yes", "no"};
  }
  LocalModel fresh(*small().weights, options());
  std::vector<std::vector<double>> kept;
  for (const auto& each : asked) kept.push_back(ask(fresh, each).probabilities);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    LocalModel alone(*small().weights, options());
    const std::vector<double> likely = ask(alone, asked[i]).probabilities;
    ASSERT_EQ(likely.size(), 2U);
    EXPECT_NEAR(kept[i].at(0), likely[0], 0.03);
    EXPECT_EQ(ask(fresh, asked[i]).probabilities, kept[i]);
  }
  EXPECT_GT(std::abs(kept[0][0] - kept[2][0]), 0.001);
}

}  // namespace
}  // namespace hone::model
