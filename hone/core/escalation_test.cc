#include "hone/core/escalation.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/core/testing.h"

namespace hone::core {
namespace {

// A run of which each attempt fails with this score, until the last of the scores; 0.8 passes.
struct Failing {
  std::vector<double> scores;
  std::function<std::string(const Run&)> escalation = {};
  Finish finish = Finish::Complete;
  int escalated = 0;
  std::optional<Run> handed = {};

  Run tell(TestScene& scene, LoopOptions options = {.stop = {.attempts = 4, .when = {}}}) {
    const auto next = [this](const Run& run) {
      return Output{.text = "output " + std::to_string(run.next_number()), .finish = finish};
    };
    FunctionGenerator generator(next);
    FunctionReviser reviser(next);
    FunctionEvaluator evaluator([this](const Run& run, const Output&) {
      const Score score(scores.at(run.attempts.size()));
      return score.value() >= 0.8 ? passed(score) : failed(score, {});
    });
    FunctionReflector reflector([](const Run& run) {
      return Reflection{.text = "lesson " + std::to_string(run.attempts.size())};
    });
    FunctionEscalation hand_over([this](const Run& run) {
      ++escalated;
      handed = run;
      return escalation ? escalation(run) : "ticket 42";
    });
    NoMemory memory;
    return scene.run(Task{.prompt = "task"},
                     {generator, evaluator, reflector, reviser, memory, &hand_over}, options);
  }
};

TEST(Escalation, ThreeFailedRetriesAreHandedOverWithTheirReflections) {
  Failing story{{0.1, 0.3, 0.2, 0.2}};
  TestScene scene;
  const core::Run run = story.tell(scene);
  EXPECT_EQ(story.escalated, 1);
  ASSERT_TRUE(story.handed);
  EXPECT_EQ(story.handed->selected, 2);
  EXPECT_EQ(story.handed->stop->reason, StopReason::MaxAttempts);
  for (const Attempt& attempt : story.handed->attempts)
    EXPECT_EQ(attempt.reflection->text, "lesson " + std::to_string(attempt.number));
  EXPECT_EQ(run.stop->reason, StopReason::Escalated);
  EXPECT_EQ(run.stop->detail, "4 of 4 attempts were made; escalated: ticket 42");
  EXPECT_EQ(run.selected, 2);
}

TEST(Escalation, APassIsNotHandedOver) {
  Failing story{{0.1, 0.9}};
  TestScene scene;
  EXPECT_EQ(story.tell(scene).stop->reason, StopReason::Passed);
  EXPECT_EQ(story.escalated, 0);
}

TEST(Escalation, ABudgetThatIsUsedUpIsNotHandedOver) {
  Failing story{{0.1, 0.1, 0.1, 0.1}};
  TestScene scene({.time = std::chrono::milliseconds(1)});
  EXPECT_EQ(story.tell(scene).stop->reason, StopReason::Deadline);
  EXPECT_EQ(story.escalated, 0);
}

TEST(Escalation, AnOutputThatWasBrokenOffIsNeitherReflectedOnNorHandedOver) {
  Failing story{{0.1, 0.1, 0.1, 0.1}, {}, Finish::Interrupted};
  TestScene scene;
  const LoopOptions options{.stop = {.attempts = 4, .when = {}, .interrupted = true},
                            .reflects_on_failure = true};
  const core::Run run = story.tell(scene, options);
  EXPECT_EQ(run.stop->reason, StopReason::Error);
  EXPECT_EQ(run.stop->detail, "the output of attempt 1 was broken off");
  EXPECT_FALSE(run.attempts.front().reflection);
  EXPECT_EQ(story.escalated, 0);
}

TEST(Escalation, WhenNobodyTakesOverTheRunEndsAsItWouldHave) {
  Failing story{{0.1, 0.1, 0.1, 0.1}, [](const core::Run&) -> std::string {
                  throw Error(ErrorKind::Unavailable, "exit code 3", "look at the command");
                }};
  TestScene scene;
  const core::Run run = story.tell(scene);
  EXPECT_EQ(run.stop->reason, StopReason::MaxAttempts);
  EXPECT_EQ(run.stop->detail, "4 of 4 attempts were made; it could not be escalated: exit code 3");
}

TEST(Escalation, ACancellationMeanwhileLeavesTheRunToBeGoneOnWith) {
  Failing story{{0.1, 0.1, 0.1, 0.1}, [](const core::Run&) -> std::string {
                  throw Error(ErrorKind::Cancelled, "interrupted", "");
                }};
  TestScene scene;
  EXPECT_EQ(story.tell(scene).stop->reason, StopReason::Cancelled);
}

TEST(Escalation, GivesUpByRulesOnly) {
  for (const StopReason reason :
       {StopReason::MaxAttempts, StopReason::Plateau, StopReason::Oscillation,
        StopReason::Diminishing, StopReason::Stable, StopReason::Duplicate,
        StopReason::RepeatedIssues})
    EXPECT_TRUE(gave_up({reason, ""})) << to_string(reason);
  for (const StopReason reason :
       {StopReason::Passed, StopReason::Budget, StopReason::Deadline, StopReason::Cancelled,
        StopReason::UserAccepted, StopReason::Escalated, StopReason::Error})
    EXPECT_FALSE(gave_up({reason, ""})) << to_string(reason);
}

}  // namespace
}  // namespace hone::core
