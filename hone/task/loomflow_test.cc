// The behaviours that loomflow's own tests of its Reflexion class state, one by one, and what else
// its profile promises. Where hone decides otherwise on purpose, the test says what and why.
#include "hone/task/loomflow.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"
#include "hone/task/loomflow_testing.h"
#include "hone/task/profile.h"

namespace hone::task {
namespace {

using Names = std::vector<std::string>;

std::string refusal(const LoomflowOptions& options) {
  try {
    check(options);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

// The score that a judge's reply gives; a reply that is none is given twice.
std::optional<double> score_of(const std::string& judged) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("out"), reply(judged), reply(judged), reply("Be exact.")},
                      "{loomflow: {max_attempts: 1}}", "lessons: {learn: false}\n");
  return one.score();
}

TEST(LoomflowPeer, SatisfiesTheArchitectureProtocol) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("out"), reply(verdict(0.9))});
  EXPECT_TRUE(one.run.accepted()) << "it runs as any other task does";
}

TEST(LoomflowPeer, IsNamedReflexion) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("out"), reply(verdict(0.9))});
  for (const LoomflowEvent& event : one.events.told)
    EXPECT_TRUE(event.name.starts_with("reflexion.")) << event.name;
}

TEST(LoomflowPeer, DeclaresNoWorkers) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("out"), reply(verdict(0.9))});
  for (const core::ModelRequest& request : one.model.asked)
    EXPECT_TRUE(request.tools.empty()) << "nobody is offered to delegate to";
}

TEST(LoomflowPeer, IsFoundByItsName) {
  TaskFile file;
  EXPECT_TRUE(apply_profile(file, "loomflow"));
  EXPECT_EQ(file.profile, "loomflow");
  EXPECT_FALSE(apply_profile(file, "loomflov"));
}

TEST(LoomflowPeer, RejectsMaxAttemptsBelowOne) {
  EXPECT_EQ(refusal({.max_attempts = 0}), "max_attempts must be >= 1");
  EXPECT_EQ(refusal({.max_attempts = -3}), "max_attempts must be >= 1");
  EXPECT_EQ(refusal({.max_attempts = 1}), "");
}

TEST(LoomflowPeer, RejectsAThresholdOutsideOfZeroToOne) {
  EXPECT_EQ(refusal({.threshold = 1.1}), "threshold must be in [0.0, 1.0]");
  EXPECT_EQ(refusal({.threshold = -0.1}), "threshold must be in [0.0, 1.0]");
  EXPECT_EQ(refusal({.threshold = 0}), "");
  EXPECT_EQ(refusal({.threshold = 1}), "");
}

TEST(LoomflowPeer, ParsesAScoreWithAColon) { EXPECT_EQ(score_of("score: 0.85\nFine."), 0.85); }

TEST(LoomflowPeer, ParsesAScoreWithAnEqualsSign) { EXPECT_EQ(score_of("score=0.4"), 0.4); }

// A number without a label was taken for the score, which made 1.0 of "out of 1.0 I would say 0.3".
// hone asks for it again, in the form.
TEST(LoomflowPeer, AsksAgainForADecimalInProse) {
  LessonShelf shelf;
  const Reflexion one(shelf,
                      {reply("out"), reply("Out of 1.0 I would say 0.3."), reply("score: 0.3"),
                       reply("Use ISO 8601 dates.")},
                      "{loomflow: {max_attempts: 1}}");
  EXPECT_EQ(one.score(), 0.3);
}

// Clamping 1.5 to a perfect score and reading words as 0 were guesses: hone asks again, and then
// does not know.
TEST(LoomflowPeer, NeitherClampsAScoreNorTakesWordsForZero) {
  EXPECT_EQ(score_of("score: 1.5"), std::nullopt);
  EXPECT_EQ(score_of("score: bogus"), std::nullopt);
}

TEST(LoomflowPeer, WithoutANumberThereIsNoScore) {
  EXPECT_EQ(score_of("It is fine, I think."), std::nullopt);
}

TEST(LoomflowPeer, MeetsTheThresholdAtTheFirstAttempt) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("good"), reply(verdict(0.8))});
  EXPECT_EQ(one.output(), "good");
  EXPECT_EQ(one.run.usage.total().calls, 0) << "fakes cost nothing";
  EXPECT_EQ(one.model.asked.size(), 2U);
  EXPECT_EQ(one.events.names(), (Names{"attempt_started", "evaluated", "threshold_met"}));
}

TEST(LoomflowPeer, ReflectsAndThenSucceeds) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("bad"), reply(verdict(0.3)), reply("Use ISO 8601 dates."),
                              reply("good"), reply(verdict(0.9))});
  EXPECT_EQ(one.output(), "good");
  EXPECT_EQ(one.model.asked.size(), 5U);
}

TEST(LoomflowPeer, PutsTheLessonIntoABlockOfItsOwn) {
  LessonShelf shelf;
  const Reflexion one(shelf,
                      {reply("bad"), reply(verdict(0.3)), reply("Use ISO 8601 dates."),
                       reply("good"), reply(verdict(0.9))},
                      "{loomflow: {lessons_block_name: dates_block}}");
  EXPECT_EQ(shelf.texts({.agent = "dates_block"}), (Names{"Use ISO 8601 dates."}));
  EXPECT_EQ(shelf.texts({.agent = "reflexion_lessons"}), Names());
  EXPECT_EQ(one.events.told.at(3).fields, (JsonText{R"({"attempt":1,"block":"dates_block"})"}));
}

// The class gave up with five calls and returned the last output. hone returns the best one, and
// makes a sixth call to learn from the last failure.
TEST(LoomflowPeer, GivesUpAtMaxAttempts) {
  LessonShelf shelf;
  const Reflexion one(shelf,
                      {reply("first"), reply(verdict(0.2)), reply("Use ISO 8601 dates."),
                       reply("second"), reply(verdict(0.3)), reply("Name the time zone.")},
                      "{loomflow: {max_attempts: 2}}");
  EXPECT_EQ(one.run.stop->reason, core::StopReason::MaxAttempts);
  EXPECT_EQ(one.output(), "second");
  EXPECT_EQ(one.model.asked.size(), 6U);
}

TEST(LoomflowPeer, TellsThatMaxAttemptsWereReached) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("first"), reply("score: 0.25"), reply("Use ISO 8601 dates.")},
                      "{loomflow: {max_attempts: 1}}");
  EXPECT_EQ(one.events.told.at(2), (LoomflowEvent{"reflexion.max_attempts_reached",
                                                  {R"({"final_score":0.25,"attempts":1})"}}));
}

TEST(LoomflowPeer, ShowsTheLessonToTheSecondAttemptAndNotToTheFirst) {
  for (const std::string profile : {"loomflow", "{loomflow: {lesson_store: ~}}"}) {
    LessonShelf shelf;
    const Reflexion one(shelf,
                        {reply("bad"), reply(verdict(0.3)), reply("Use ISO 8601 dates."),
                         reply("good"), reply(verdict(0.9))},
                        profile);
    EXPECT_EQ(one.sent(0).find("Use ISO 8601 dates."), std::string::npos) << profile;
    EXPECT_NE(one.sent(3).find("- Use ISO 8601 dates."), std::string::npos) << profile;
    EXPECT_EQ(bullets(one.sent(3)), 1U) << "it is shown once\n" << one.sent(3);
  }
}

TEST(LoomflowPeer, RunsItsBaseEndToEnd) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("2026-03-01"), reply(verdict(1.0))});
  EXPECT_EQ(one.output(), "2026-03-01");
  EXPECT_EQ(one.model.asked.at(0).role, core::Role::Generate);
  EXPECT_EQ(one.model.asked.at(1).role, core::Role::Evaluate);
}

TEST(LoomflowPeer, HasABaseByDefault) {
  const TaskFile file = parsed("task: x\nprofile: loomflow\n");
  EXPECT_TRUE(file.models.empty()) << "the model of the task generates";
  EXPECT_EQ(file.stop.attempts, 3);
  EXPECT_EQ(file.accept_threshold, 0.8);
  EXPECT_EQ(file.lessons.recall, 5);
}

TEST(LoomflowPeer, KeepsALessonOfEachFailureInTheStore) {
  LessonShelf shelf;
  const Reflexion one(
      shelf, {reply("a"), reply(verdict(0.1)), reply("Use ISO 8601 dates."), reply("b"),
              reply(verdict(0.2)), reply("Name the time zone."), reply("c"), reply(verdict(0.9))});
  EXPECT_EQ(shelf.store->count({}), 2);
}

TEST(LoomflowPeer, RecallsAtMostTopK) {
  LessonShelf shelf;
  const std::string options = "{loomflow: {top_k_lessons: 2, max_attempts: 4}}";
  const Reflexion one(shelf,
                      {reply("a"), reply(verdict(0.1)), reply("Parse the dates as ISO 8601."),
                       reply("b"), reply(verdict(0.1)), reply("Name the zone of the feed's dates."),
                       reply("c"), reply(verdict(0.1)), reply("Parse years of the feed whole."),
                       reply("d"), reply(verdict(0.9))},
                      options);
  EXPECT_EQ(shelf.store->count({}), 3);
  EXPECT_EQ(bullets(one.sent(9)), 2U) << one.sent(9);
}

TEST(LoomflowPeer, RejectsTopKBelowOne) {
  EXPECT_EQ(refusal({.top_k_lessons = 0}), "top_k_lessons must be >= 1");
  EXPECT_EQ(refusal({.lesson_store = false, .top_k_lessons = 0}), "top_k_lessons must be >= 1")
      << "without a store, too";
}

TEST(Loomflow, SaysWhereAParameterIsOutOfRange) {
  struct Case {
    std::string parameters;
    std::string message;
  };
  const Case cases[] = {
      {"max_attempts: 0", "t.yaml:2:36: max_attempts must be >= 1"},
      {"threshold: 1.5", "t.yaml:2:33: threshold must be in [0.0, 1.0]"},
      {"threshold: -0.5", "t.yaml:2:33: threshold must be in [0.0, 1.0]"},
      {"top_k_lessons: 0", "t.yaml:2:37: top_k_lessons must be >= 1"},
      {"lesson_store: ~, top_k_lessons: 0", "t.yaml:2:54: top_k_lessons must be >= 1"}};
  for (const Case& each : cases) {
    try {
      parsed("task: x\nprofile: {loomflow: {" + each.parameters + "}}");
      ADD_FAILURE() << each.parameters;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), each.message);
    }
  }
}

TEST(Loomflow, TellsItsEventsInOrderWithTheirFields) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("bad"), reply("score: 0.5"), reply("Use ISO 8601 dates."),
                              reply("good"), reply("score: 0.9")});
  const std::vector<LoomflowEvent> expected{
      {"reflexion.attempt_started", {R"({"attempt":1,"max_attempts":3})"}},
      {"reflexion.evaluated", {R"({"attempt":1,"score":0.5})"}},
      {"reflexion.lesson_produced", {R"({"attempt":1,"lesson":"Use ISO 8601 dates."})"}},
      {"reflexion.lesson_persisted", {R"({"attempt":1,"block":"lesson_store"})"}},
      {"reflexion.attempt_started", {R"({"attempt":2,"max_attempts":3})"}},
      {"reflexion.lessons_recalled", {R"({"attempt":2,"n_recalled":1})"}},
      {"reflexion.evaluated", {R"({"attempt":2,"score":0.9})"}},
      {"reflexion.threshold_met", {R"({"attempt":2,"score":0.9})"}}};
  EXPECT_EQ(one.events.told, expected);
}

TEST(Loomflow, BlockModeTellsOfNoRecall) {
  LessonShelf shelf;
  const Reflexion one(shelf,
                      {reply("bad"), reply(verdict(0.5)), reply("Use ISO 8601 dates."),
                       reply("good"), reply(verdict(0.9))},
                      "{loomflow: {lesson_store: false}}");
  EXPECT_EQ(one.events.names(),
            (Names{"attempt_started", "evaluated", "lesson_produced", "lesson_persisted",
                   "attempt_started", "evaluated", "threshold_met"}));
}

TEST(Loomflow, BlockModeShowsEveryLessonOfTheTask) {
  LessonShelf shelf;
  const std::string profile = "{loomflow: {lesson_store: ~, max_attempts: 1, top_k_lessons: 1}}";
  for (const char* lesson : {"Use ISO 8601 dates.", "Name the time zone.", "Check leap days."})
    Reflexion(shelf, {reply(lesson), reply(verdict(0.1)), reply(lesson)}, profile);
  const Reflexion last(shelf, {reply("good"), reply(verdict(0.9))}, profile);
  EXPECT_NE(last.sent(0).find("- Use ISO 8601 dates.\n- Name the time zone.\n- Check leap days.\n"),
            std::string::npos)
      << last.sent(0);
}

TEST(Loomflow, AnInterruptedBaseEndsTheRunUnjudged) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("half an", core::Finish::Interrupted)});
  EXPECT_EQ(one.model.asked.size(), 1U) << "neither judged nor reflected on";
  EXPECT_EQ(one.run.stop->reason, core::StopReason::Error);
  EXPECT_EQ(one.events.names(), (Names{"attempt_started"}));
  EXPECT_EQ(shelf.store->count({}), 0);
}

TEST(Loomflow, ABudgetIsAskedBeforeEachAttempt) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("bad"), reply(verdict(0.5))}, "loomflow",
                      "budget: {time: 1ms}\n");
  EXPECT_EQ(one.run.stop->reason, core::StopReason::Deadline);
  EXPECT_LE(one.events.names().size(), 2U);
}

TEST(Loomflow, OwnPromptsTakeThePlaceOfOurs) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("bad"), reply(verdict(0.1)), reply("Use ISO 8601 dates.")},
                      "{loomflow: {max_attempts: 1, evaluator_prompt: Judge like a clerk., "
                      "reflector_prompt: Advise like a coach.}}");
  EXPECT_NE(one.sent(1).find("Judge like a clerk."), std::string::npos);
  EXPECT_NE(one.sent(2).find("Advise like a coach."), std::string::npos);
  EXPECT_EQ(one.sent(2).find("single sentence"), std::string::npos);
}

TEST(Loomflow, RoleModelsAreAsked) {
  const TaskFile file = parsed(
      "task: x\nprofile: {loomflow: {evaluator_model: 'openai:judge', reflector_model: "
      "'openai:coach'}}\n");
  EXPECT_EQ(file.models.at(core::Role::Evaluate), "openai:judge");
  EXPECT_EQ(file.models.at(core::Role::Reflect), "openai:coach");
}

TEST(Loomflow, AnEmptyLessonTeachesNothing) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("bad"), reply(verdict(0.1)), reply("  ")},
                      "{loomflow: {max_attempts: 1}}");
  EXPECT_EQ(shelf.store->count({}), 0);
  EXPECT_EQ(one.run.stop->reason, core::StopReason::MaxAttempts);
}

TEST(Loomflow, WithoutAStoreTheLessonsOfTheRunAreShownAllTheSame) {
  LessonShelf shelf;
  const Reflexion one(shelf,
                      {reply("bad"), reply(verdict(0.3)), reply("Use ISO 8601 dates."),
                       reply("good"), reply(verdict(0.9))},
                      "loomflow", "lessons: {recall: 0, learn: true}\n");
  EXPECT_EQ(one.run.stop->reason, core::StopReason::Passed);
}

}  // namespace
}  // namespace hone::task
