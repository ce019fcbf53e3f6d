#include "hone/reflect/reviser.h"

#include <gtest/gtest.h>

#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

async<void> revise_into(core::Output& output, core::Context context, core::Reviser& reviser,
                        const core::Run& run) {
  output = co_await reviser.revise(std::move(context), run);
}

core::Output revised(core::Reviser& reviser, const core::Run& run) {
  core::TestScene scene;
  const core::Context context = context_of(scene, run.next_number(), "revise");
  core::Output output;
  run_sync([&] { return revise_into(output, context, reviser, run); });
  return output;
}

core::Run two_attempts() {
  core::Run run = some_run();
  run.attempts = {rejected(1, "first text", "too low"), rejected(2, "second text", "too high")};
  return run;
}

core::Run with_repeats(int count) {
  core::Run run = two_attempts();
  for (int i = 0; i < count; ++i) {
    run.attempts.push_back(rejected(run.next_number(), "second text", "too high"));
    run.attempts.back().duplicate_of = 2;
  }
  return run;
}

bool shows(const core::ModelRequest& request, std::string_view text) {
  return request.messages.back().text.find(text) != std::string::npos;
}

TEST(Regenerate, ShowsTheReasonsAndNoEarlierText) {
  FakeModel model({reply(" 42 ")});
  Regenerate reviser(model);
  const core::Output output = revised(reviser, two_attempts());
  EXPECT_EQ(output.text, " 42 ");
  EXPECT_EQ(output.strategy, "regenerate");
  const core::ModelRequest& request = model.asked.at(0);
  EXPECT_EQ(request.role, core::Role::Revise);
  EXPECT_EQ(request.attempt, 3);
  EXPECT_TRUE(request.drafts);
  EXPECT_EQ(request.prompt.name, "regenerate");
  EXPECT_EQ(model.paths.at(0), "attempt/3/revise/ask/1");
  EXPECT_TRUE(shows(request, "too high"));
  EXPECT_FALSE(shows(request, "first text"));
  EXPECT_FALSE(shows(request, "second text"));
}

TEST(FullRewrite, ShowsTheBestAttempt) {
  FakeModel model({reply("42")});
  FullRewrite reviser(model);
  EXPECT_EQ(revised(reviser, two_attempts()).strategy, "full_rewrite");
  EXPECT_EQ(model.asked.at(0).role, core::Role::Revise);
  EXPECT_TRUE(shows(model.asked[0], "second text"));
  EXPECT_FALSE(shows(model.asked[0], "first text"));
}

TEST(FullRewrite, RegeneratesAfterARepeat) {
  FakeModel model({reply("42")});
  FullRewrite reviser(model);
  EXPECT_EQ(revised(reviser, with_repeats(1)).strategy, "regenerate");
  EXPECT_FALSE(shows(model.asked.at(0), "second text"));
}

TEST(RevisionSampling, GetsHotterWithEachRepeat) {
  const auto temperature = [](int repeats, core::Sampling sampling) {
    return *revision_sampling(with_repeats(repeats), sampling).temperature;
  };
  EXPECT_DOUBLE_EQ(temperature(0, {}), 0.8);
  EXPECT_DOUBLE_EQ(temperature(1, {}), 1.0);
  EXPECT_DOUBLE_EQ(temperature(2, {}), 1.2);
  EXPECT_DOUBLE_EQ(temperature(3, {}), 1.2);
  EXPECT_DOUBLE_EQ(temperature(1, {.temperature = 0.0}), 0.2);
  EXPECT_DOUBLE_EQ(temperature(2, {.temperature = 1.5}), 1.5);
}

TEST(RevisionSampling, ForgetsRepeatsBeforeANewOutput) {
  core::Run run = with_repeats(2);
  run.attempts.push_back(rejected(run.next_number(), "third text", "too high"));
  EXPECT_DOUBLE_EQ(*revision_sampling(run, {}).temperature, 0.8);
}

TEST(Regenerate, EachAttemptHasItsOwnSeed) {
  FakeModel model({reply("a"), reply("b")});
  Regenerate reviser(model, {.seed = 7});
  revised(reviser, two_attempts());
  revised(reviser, with_repeats(1));
  ASSERT_TRUE(model.asked[0].sampling.seed);
  EXPECT_NE(model.asked[0].sampling.seed, model.asked[1].sampling.seed);
  EXPECT_LE(*model.asked[0].sampling.seed, 0x7fffffffU);
}

}  // namespace
}  // namespace hone::reflect
