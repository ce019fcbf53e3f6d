#include "hone/task/profile.h"

#include <gtest/gtest.h>

#include "hone/task/testing.h"

namespace hone::task {
namespace {

TEST(Profile, ProtocolMakesThreeRetriesAndStopsByNothingElse) {
  const TaskFile file = parsed("task: x\nprofile: protocol\n");
  EXPECT_EQ(file.stop.attempts, 4);
  EXPECT_EQ(file.stop.when, core::StopWhen());
  EXPECT_EQ(file.lessons.recall, 3);
  EXPECT_EQ(file.lessons.order, memory::Order::Protocol);
  EXPECT_FALSE(file.lessons.all_agents);
  EXPECT_EQ(file.reflect.options.forms, reflect::Forms::ByOutcome);
  EXPECT_FALSE(file.reflect.success) << "a procedure after a success is optional";
  EXPECT_FALSE(file.revise.include_reflection_history) << "all reflections of the chain are shown";
}

TEST(Profile, ProtocolsParametersHaveItsNames) {
  const TaskFile file = parsed("task: x\nprofile: {protocol: {retries: 1, reflections: 5}}\n");
  EXPECT_EQ(file.stop.attempts, 2);
  EXPECT_EQ(file.lessons.recall, 5);
}

TEST(Profile, WhatTheFileSaysCounts) {
  const TaskFile file = parsed(
      "task: x\nprofile: protocol\nstop: {attempts: 7, plateau: 2}\nreflect: {form: full}\n"
      "lessons: {recall: 1, order: hybrid}\n");
  EXPECT_EQ(file.stop.attempts, 7);
  EXPECT_TRUE(file.stop.when.plateau);
  EXPECT_FALSE(file.stop.when.duplicate);
  EXPECT_EQ(file.lessons.recall, 1);
  EXPECT_EQ(file.lessons.order, memory::Order::Hybrid);
  EXPECT_EQ(file.reflect.options.forms, reflect::Forms::Full);
}

TEST(Profile, LessonsThatAreOffStayOff) {
  for (const std::string profile : {"protocol", "loomflow"}) {
    const TaskFile file = parsed("task: x\nlessons: false\nprofile: " + profile);
    EXPECT_FALSE(file.lessons.are_used()) << profile;
  }
}

TEST(Profile, SaysWhatIsOutOfRange) {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"{protocol: {retries: -1}}", "t.yaml:2:31: retries must be >= 0"},
      {"{protocol: {reflections: -2}}", "t.yaml:2:35: reflections must be >= 0"},
      {"{protocol: {retry: 1}}", "t.yaml:2:22: unknown key `retry` in `profile.protocol`"}};
  for (const Case& each : cases) {
    try {
      parsed("task: x\nprofile: " + each.text);
      ADD_FAILURE() << each.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), each.message);
    }
  }
}

}  // namespace
}  // namespace hone::task
