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

core::Run run_with(core::Evaluation evaluation) {
  core::Run run = some_run();
  run.attempts = {rejected(1, "first text", "too low")};
  run.attempts.back().evaluation = std::move(evaluation);
  return run;
}

TEST(ReflectionForms, FollowTheOutcomeAsTheProtocolsTableSays) {
  using core::ReflectionForm;
  struct Case {
    core::Evaluation evaluation;
    ReflectionForm form;
    bool mars;
  };
  const Case cases[] = {{core::failed(Score(0.2), {}), ReflectionForm::Full, true},
                        {core::unknown("no answer"), ReflectionForm::Full, true},
                        {core::failed(Score(0.6), {}), ReflectionForm::Short, false},
                        {core::passed(), ReflectionForm::Procedure, false}};
  for (const Case& each : cases) {
    const auto ask = ask_after(run_with(each.evaluation), {.forms = Forms::ByOutcome});
    ASSERT_TRUE(ask);
    EXPECT_EQ(ask->form, each.form);
    EXPECT_EQ(ask->mars, each.mars) << "a principle is for failures";
  }
}

TEST(ReflectionForms, ARepeatIsAskedForNoPrinciple) {
  core::Run run = run_with(core::failed(Score(0.2), {}));
  run = with_repeats(std::move(run), 1);
  EXPECT_FALSE(ask_after(run, {.forms = Forms::ByOutcome})->mars);
}

TEST(ReflectionForms, AllFieldsAreAskedForByDefault) {
  EXPECT_FALSE(ask_after(run_with(core::failed(Score(0.6), {})), {}));
  EXPECT_FALSE(ask_after(run_with(core::passed()), {}));
  EXPECT_EQ(ask_after(run_with(core::passed()), {.keeps_procedures = true})->form,
            core::ReflectionForm::Procedure);
}

TEST(ReflectionForms, AFailureGivesPrincipleAndProcedureInOneCall) {
  FakeModel model({reply(
      R"({"rule": "Add twice.", "principle": "Always add twice.", "procedure": "1. Add."})")});
  ModelReflector reflector(model, {}, {.forms = Forms::ByOutcome});
  core::TestScene scene;
  const core::Run run = run_with(core::failed(Score(0.1), {}));
  core::Reflection reflection;
  const core::Context context = context_of(scene, 1, "reflect");
  run_sync([&] { return reflect_into(reflection, context, reflector, run); });
  EXPECT_EQ(model.asked.size(), 1U);
  EXPECT_NE(model.asked[0].messages.back().text.find("systemic"), std::string::npos);
  EXPECT_EQ(reflection.principle, "Always add twice.");
  EXPECT_EQ(reflection.procedure, "1. Add.");
}

async<void> decide_into(core::Reflection& reflection, core::Context context, core::Model& model,
                        DecisionRequest request) {
  auto asking = reflect_on_decision(std::move(context), model, std::move(request));
  reflection = co_await std::move(asking);
}

TEST(Decisions, WhatIsMissingIsAskedForInOneCall) {
  FakeModel model({reply(R"({"alternatives": "PostgreSQL.", "why": "x", "principle": "P."})")});
  core::TestScene scene;
  core::Reflection reflection;
  const DecisionRequest request{.said = {.why = "no server", .rule = "Use SQLite."},
                                .significant = true};
  const core::Context context = scene.context();
  run_sync([&] { return decide_into(reflection, context, model, request); });
  EXPECT_EQ(reflection.what_happened, "PostgreSQL.");
  EXPECT_EQ(reflection.why, "no server");
  EXPECT_EQ(reflection.principle, "P.");
  ASSERT_EQ(model.asked.size(), 1U);
  EXPECT_EQ(model.asked[0].role, core::Role::Reflect);
  EXPECT_TRUE(model.asked[0].schema);
}

}  // namespace
}  // namespace hone::reflect
