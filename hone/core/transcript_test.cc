#include "hone/core/transcript.h"

#include <gtest/gtest.h>

namespace hone::core {
namespace {

core::Run two_attempts() {
  core::Run run;
  run.task.prompt = "Summarise the memo as JSON {title, summary}.\nKeep it short.";
  run.recalled = {{"l1", "Return bare JSON, no fences."}};
  Attempt first{.number = 1};
  first.output.text = R"({"title":"Q3"})";
  first.usage[Role::Generate] = {.calls = 1, .output = {12}};
  first.evaluation =
      failed(Score(0.5), {{.path = "/summary",
                           .message = "/summary is required",
                           .kind = "required",
                           .check = "schema"},
                          {.path = "/title", .message = "is too short", .check = "schema"}});
  first.reflection = Reflection{.text = "The summary field is missing."};
  Attempt second{.number = 2};
  second.output.text = R"({"title":"Q3","summary":"Sales rose 4%."})";
  second.usage[Role::Revise] = {.calls = 1, .output = {19}};
  second.evaluation = passed();
  run.attempts = {first, second};
  run.stop = Stop{StopReason::Passed, "attempt 2 passed"};
  run.selected = 2;
  run.learned = {{"l2", "Check required fields before answering."}};
  return run;
}

TEST(Transcript, TellsARunInOneLineAStep) {
  EXPECT_EQ(
      transcript(two_attempts()),
      "task        Summarise the memo as JSON {title, summary}. Keep it short.\n"
      "recall      1 lesson    \"Return bare JSON, no fences.\"\n"
      "attempt 1   {\"title\":\"Q3\"}                                                12 tok\n"
      "evaluate 1  failed 0.50  schema: /summary is required\n"
      "            schema: /title is too short\n"
      "reflect 1   The summary field is missing.\n"
      "attempt 2   {\"title\":\"Q3\",\"summary\":\"Sales rose 4%.\"}                     19 tok\n"
      "evaluate 2  passed 1.00\n"
      "stop        passed at attempt 2\n"
      "learn       1 lesson    \"Check required fields before answering.\"\n");
}

TEST(Transcript, SaysWhatIsReturnedWhenNothingPassed) {
  core::Run run = two_attempts();
  run.attempts.pop_back();
  run.stop = Stop{StopReason::Error, "nobody answers"};
  run.selected = 1;
  EXPECT_EQ(stop_line(run), "stop        error: nobody answers; attempt 1 is returned\n");
  run.stop.reset();
  EXPECT_EQ(stop_line(run), "stop        not reached\n");
}

TEST(Transcript, ShowsRepeatsAndUnknownsForWhatTheyAre) {
  Attempt attempt{.number = 3};
  attempt.evaluation = unknown("the judge did not answer");
  EXPECT_EQ(evaluation_line(attempt), "evaluate 3  unknown  the judge did not answer\n");
  attempt.duplicate_of = 1;
  attempt.evaluation = failed(Score(0.25), {});
  EXPECT_EQ(evaluation_line(attempt), "evaluate 3  failed 0.25  as attempt 1, not judged again\n");
}

}  // namespace
}  // namespace hone::core
