#include "hone/reflect/reflector.h"

#include <gtest/gtest.h>

#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

async<void> reflect_into(core::Reflection& reflection, core::Context context,
                         core::Reflector& reflector, const core::Run& run) {
  reflection = co_await reflector.reflect(std::move(context), run);
}

core::Reflection reflected(core::Model& model, core::Context context) {
  core::Run run = some_run();
  run.attempts = {rejected(1, "first text", "too low"), rejected(2, "41", "must be 42")};
  ModelReflector reflector(model);
  core::Reflection reflection;
  run_sync([&] { return reflect_into(reflection, context, reflector, run); });
  return reflection;
}

core::Reflection reflected(core::Model& model) {
  core::TestScene scene;
  return reflected(model, context_of(scene, 2, "reflect"));
}

TEST(ModelReflector, AsksAboutTheLastAttemptInOneStructuredCall) {
  FakeModel model({reply(R"({"rule": "Add twice.", "do_differently": "Add again."})")});
  const core::Reflection reflection = reflected(model);
  EXPECT_EQ(reflection.rule, "Add twice.");
  EXPECT_EQ(reflection.do_differently, "Add again.");
  EXPECT_EQ(reflection.text, "Add again. Add twice.");
  ASSERT_EQ(model.asked.size(), 1U);
  const core::ModelRequest& request = model.asked[0];
  EXPECT_EQ(request.role, core::Role::Reflect);
  EXPECT_EQ(request.attempt, 2);
  EXPECT_TRUE(request.schema);
  EXPECT_FALSE(request.drafts);
  EXPECT_EQ(model.paths[0], "attempt/2/reflect/ask/1");
  EXPECT_NE(request.messages.back().text.find("41"), std::string::npos);
  EXPECT_NE(request.messages.back().text.find("must be 42"), std::string::npos);
  EXPECT_EQ(request.messages.back().text.find("first text"), std::string::npos);
}

TEST(ModelReflector, TakesAnyOtherReplyAndNeverAsksAgain) {
  for (const char* text : {"The sum is off. Add again.", R"({"lesson": "x"})", "", "{"}) {
    FakeModel model({reply(text)});
    EXPECT_EQ(reflected(model).text, text);
    EXPECT_EQ(model.asked.size(), 1U);
  }
}

TEST(ModelReflector, GoesOnWithTheIssuesWhenTheModelDoesNotAnswer) {
  for (const ErrorKind kind : {ErrorKind::Unavailable, ErrorKind::Overloaded, ErrorKind::Refused,
                               ErrorKind::DeadlineExceeded}) {
    FakeModel model({failure(kind)});
    EXPECT_EQ(reflected(model).text,
              "The reflector did not answer. The evaluation found: must be 42")
        << to_string(kind);
  }
}

TEST(ModelReflector, OtherFailuresEndTheRun) {
  for (const ErrorKind kind : {ErrorKind::Cancelled, ErrorKind::BudgetExhausted,
                               ErrorKind::InvalidInput, ErrorKind::Corrupt, ErrorKind::Internal}) {
    FakeModel model({failure(kind)});
    EXPECT_THROW(reflected(model), Error) << to_string(kind);
  }
}

TEST(ModelReflector, TheEndOfTheRunsTimeIsNotItsOwnTimeLimit) {
  core::TestScene scene;
  core::Context context = context_of(scene, 2, "reflect");
  context.deadline = scene.clock().now();
  FakeModel model({failure(ErrorKind::DeadlineExceeded)});
  EXPECT_THROW(reflected(model, context), Error);
}

}  // namespace
}  // namespace hone::reflect
