#include "hone/core/run_task.h"

#include <gtest/gtest.h>

#include <string>

#include "hone/base/error.h"

namespace hone::core {
namespace {

// Outputs "1", "2", …; the one called `good` passes.
Functions counting_to(const std::string& good) {
  Functions functions;
  functions.generate = [](const core::Run& run) {
    return Output{.text = std::to_string(run.next_number())};
  };
  functions.evaluate = [good](const core::Run&, const Output& output) {
    return output.text == good ? passed() : failed(Score(0.5), {{.message = "not it"}});
  };
  return functions;
}

TEST(RunTask, GeneratesAgainWhereNothingRevises) {
  const core::Run run = run_task(Task{.prompt = "count"}, counting_to("3"));
  EXPECT_TRUE(run.accepted());
  ASSERT_EQ(run.attempts.size(), 3U);
  EXPECT_EQ(run.find_selected()->output.text, "3");
  EXPECT_EQ(run.attempts[0].reflection, Reflection());
}

TEST(RunTask, AsksTheFunctionsThatItWasGiven) {
  Functions functions = counting_to("two");
  functions.reflect = [](const core::Run&) { return Reflection{.text = "in words"}; };
  functions.revise = [](const core::Run& run) {
    EXPECT_EQ(run.attempts.back().reflection->text, "in words");
    return Output{.text = "two"};
  };
  EXPECT_EQ(run_task(Task{.prompt = "count"}, functions).selected, 2);
}

TEST(RunTask, KeepsTheTimeLimitOfItsBudget) {
  const Budget budget{.time = Duration(0)};
  const core::Run run = run_task(Task{.prompt = "count"}, counting_to("3"), {}, budget);
  EXPECT_EQ(run.stop->reason, StopReason::Deadline);
  EXPECT_EQ(run.attempts.size(), 1U);
}

TEST(RunTask, AFailureIsTheReasonOfTheStop) {
  Functions functions = counting_to("3");
  functions.generate = [](const core::Run&) -> Output {
    throw Error(ErrorKind::Unavailable, "the model is gone");
  };
  const core::Run run = run_task(Task{.prompt = "count"}, functions);
  EXPECT_EQ(run.stop->reason, StopReason::Error);
  EXPECT_EQ(run.stop->detail, "the model is gone");
}

TEST(RunTask, RefusesToRunWithoutACheck) {
  Functions functions = counting_to("3");
  functions.evaluate = nullptr;
  EXPECT_THROW(run_task(Task{.prompt = "count"}, functions), Error);
}

TEST(RunTask, ARunThatGivesUpCallsBackWithItsReflections) {
  std::vector<std::string> told;
  Functions functions;
  functions.generate = [](const core::Run& run) {
    return Output{.text = std::to_string(run.attempts.size())};
  };
  functions.evaluate = [](const core::Run&, const Output&) { return failed(Score(0.1), {}); };
  functions.reflect = [](const core::Run& run) {
    return Reflection{.text = "lesson " + std::to_string(run.attempts.size())};
  };
  functions.escalate = [&](const core::Run& run) {
    for (const Attempt& attempt : run.attempts) told.push_back(attempt.reflection->text);
    return "ticket 42";
  };
  const core::Run run = run_task({.prompt = "x"}, functions, {.stop = {.attempts = 4, .when = {}}});
  EXPECT_EQ(told, (std::vector<std::string>{"lesson 1", "lesson 2", "lesson 3", "lesson 4"}));
  EXPECT_EQ(run.stop->reason, StopReason::Escalated);
  EXPECT_FALSE(run.accepted());
}

}  // namespace
}  // namespace hone::core
