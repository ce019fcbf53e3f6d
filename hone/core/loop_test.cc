#include "hone/core/loop.h"

#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/core/testing.h"

namespace hone::core {
namespace {

// Outputs in order, each with its score; 0.8 passes.
struct Story {
  std::deque<std::string> outputs;
  std::map<std::string, double> scores;
  int reflections = 0;
  int judgements = 0;
  int reflector_lasts = 99;  // Reflections until the reflector is gone.

  Run tell(LoopOptions options, TestScene& scene) {
    const auto next = [this](const Run&) {
      if (outputs.empty()) throw Error(ErrorKind::Unavailable, "the model is gone", "try again");
      const std::string text = outputs.front();
      outputs.pop_front();
      return Output{.text = text};
    };
    FunctionGenerator generator(next);
    FunctionReviser reviser(next);
    FunctionEvaluator evaluator([this](const Run&, const Output& output) {
      ++judgements;
      const Score score(scores.at(output.text));
      return score.value() >= 0.8 ? passed(score) : failed(score, {});
    });
    FunctionReflector reflector([this](const Run&) {
      if (++reflections > reflector_lasts) throw Error(ErrorKind::Unavailable, "gone", "");
      return Reflection{.text = "try harder"};
    });
    NoMemory memory;
    return scene.run(Task{.prompt = "task"}, {generator, evaluator, reflector, reviser, memory},
                     options);
  }
};

TEST(Loop, ReturnsTheAttemptThatPassed) {
  Story story{{"bad", "good"}, {{"bad", 0.2}, {"good", 0.9}}};
  TestScene scene;
  const core::Run run = story.tell({}, scene);
  EXPECT_EQ(run.stop->reason, StopReason::Passed);
  EXPECT_EQ(run.selected, 2);
  EXPECT_EQ(story.reflections, 1);
  EXPECT_EQ(run.attempts[0].reflection->text, "try harder");
}

TEST(Loop, ReturnsTheBestAttemptWhenNonePasses) {
  Story story{{"a", "b", "c"}, {{"a", 0.3}, {"b", 0.7}, {"c", 0.5}}};
  TestScene scene;
  const core::Run run = story.tell({}, scene);
  EXPECT_EQ(run.stop->reason, StopReason::MaxAttempts);
  EXPECT_EQ(run.selected, 2);
  EXPECT_EQ(run.attempts[2].parent, 2);
}

TEST(Loop, ARunThatGivesUpReflectsOnItsLastAttemptWhereItIsToLearn) {
  for (const bool learns : {false, true}) {
    Story story{{"a", "b"}, {{"a", 0.3}, {"b", 0.5}}};
    TestScene scene;
    LoopOptions options{.stop = {.attempts = 2}, .reflects_on_failure = learns};
    const core::Run run = story.tell(options, scene);
    EXPECT_EQ(run.stop->reason, StopReason::MaxAttempts);
    EXPECT_EQ(run.attempts.back().reflection.has_value(), learns);
  }
  Story story{{"good"}, {{"good", 0.9}}};
  TestScene scene;
  story.tell({.reflects_on_failure = true}, scene);
  EXPECT_EQ(story.reflections, 0);
}

TEST(Loop, ALastReflectionThatFailsChangesNothing) {
  for (const int at_once : {1, 2}) {
    Story story{{"a", "b"}, {{"a", 0.3}, {"b", 0.5}}};
    story.reflector_lasts = at_once == 1 ? 1 : 0;
    TestScene scene;
    LoopOptions options{.stop = {.attempts = 2}, .reflects_on_failure = true, .at_once = at_once};
    const core::Run run = story.tell(options, scene);
    EXPECT_EQ(run.stop->reason, StopReason::MaxAttempts) << at_once;
    EXPECT_EQ(run.selected, 2);
  }
}

TEST(Loop, ARuleOfTheProgramEndsTheRun) {
  Story story{{"a", "b", "c", "d"}, {{"a", 0.1}, {"b", 0.2}, {"c", 0.6}, {"d", 0.7}}};
  const auto half = [](const core::Run& run) -> std::optional<Stop> {
    if (run.attempts.back().evaluation.score < Score(0.5)) return std::nullopt;
    return Stop{StopReason::UserAccepted, "half is enough"};
  };
  const auto never = [](const core::Run&) { return std::optional<Stop>(); };
  LoopOptions options{.stop = {.attempts = 9}, .own_stop_rules = {never, half}};
  TestScene scene;
  const core::Run run = story.tell(options, scene);
  EXPECT_EQ(run.stop, (Stop{StopReason::UserAccepted, "half is enough"}));
  EXPECT_EQ(run.selected, 3);
  EXPECT_EQ(story.reflections, 2);
}

TEST(Loop, AForkMakesItsOwnAttemptWhateverTheRulesSayOfTheKeptOnes) {
  const std::map<std::string, double> scores{{"a", 0.3}, {"b", 0.3}, {"c", 0.3}, {"d", 0.5}};
  Story stopped{{"a", "b", "c", "d"}, scores};
  Story forked = stopped;
  LoopOptions options{.stop = {.attempts = 4}};
  TestScene scene;
  const core::Run first = stopped.tell(options, scene);
  ASSERT_EQ(first.stop->reason, StopReason::Plateau);
  ASSERT_EQ(first.attempts.size(), 3u);
  options.makes_at_least = 4;
  TestScene other;
  EXPECT_EQ(forked.tell(options, other).attempts.size(), 4u);
}

TEST(Loop, AForkGoesOnAfterAPassOnlyIfItIsToldTo) {
  const std::map<std::string, double> scores{{"good", 0.9}, {"better", 0.95}};
  for (const bool goes_on : {false, true}) {
    Story story{{"good", "better"}, scores};
    const LoopOptions options{.makes_at_least = 2, .makes_it_after_a_pass = goes_on};
    TestScene scene;
    const core::Run run = story.tell(options, scene);
    EXPECT_EQ(run.attempts.size(), goes_on ? 2u : 1u);
    EXPECT_EQ(run.selected, goes_on ? 2 : 1);
    EXPECT_EQ(run.stop->reason, StopReason::Passed);
  }
}

TEST(Loop, ABuiltInRuleGivesTheReasonBeforeOneOfTheProgram) {
  Story story{{"a", "good"}, {{"a", 0.1}, {"good", 0.9}}};
  const auto second = [](const core::Run& run) -> std::optional<Stop> {
    if (run.attempts.size() < 2) return std::nullopt;
    return Stop{StopReason::Escalated, "two are enough"};
  };
  LoopOptions options{.own_stop_rules = {second}};
  TestScene scene;
  EXPECT_EQ(story.tell(options, scene).stop->reason, StopReason::Passed);
}

TEST(Loop, AModelThatDiesAfterTheFirstAttemptGivesThatAttemptBack) {
  Story story{{"a"}, {{"a", 0.3}}};
  TestScene scene;
  const core::Run run = story.tell({}, scene);
  EXPECT_EQ(run.stop->reason, StopReason::Error);
  EXPECT_EQ(run.stop->detail, "the model is gone");
  EXPECT_EQ(run.stop->hint, "try again");
  EXPECT_EQ(run.stop->kind, "unavailable");
  EXPECT_EQ(run.selected, 1);
}

TEST(Loop, AModelThatNeverAnswersGivesNoAttempt) {
  Story story;
  TestScene scene;
  const core::Run run = story.tell({}, scene);
  EXPECT_EQ(run.stop->reason, StopReason::Error);
  EXPECT_EQ(run.selected, std::nullopt);
}

TEST(Loop, ARepeatCarriesTheEvaluationOfItsOriginal) {
  Story story{{"a", "a", "a"}, {{"a", 0.3}}};
  TestScene scene;
  LoopOptions options;
  options.stop.attempts = 5;
  options.stop.when.plateau.reset();
  const core::Run run = story.tell(options, scene);
  EXPECT_EQ(run.stop->reason, StopReason::Duplicate);
  EXPECT_EQ(run.attempts.size(), 3u);
  EXPECT_EQ(run.attempts[2].duplicate_of, 1);
  EXPECT_EQ(run.attempts[2].evaluation.score, Score(0.3));
  EXPECT_EQ(story.judgements, 1);
}

TEST(Loop, ADeadlineBetweenAttemptsEndsTheRun) {
  Story story{{"a", "b", "c"}, {{"a", 0.1}, {"b", 0.3}, {"c", 0.5}}};
  Budget budget;
  budget.time = std::chrono::milliseconds(6);
  TestScene scene(budget);
  LoopOptions options;
  options.stop.attempts = 100;
  const core::Run run = story.tell(options, scene);
  EXPECT_EQ(run.stop->reason, StopReason::Deadline);
  EXPECT_FALSE(run.attempts.empty());
  EXPECT_TRUE(run.selected);
}

// Is cancelled while it waits for its model.
class Sleepy final : public Generator {
 public:
  explicit Sleepy(EventLoop& loop) : loop_(loop) {}
  async<Output> generate(Context context, const Run&) override {
    loop_.cancel();
    co_await context.clock->sleep_until(context.clock->now() + std::chrono::hours(1));
    co_return Output{.text = "late"};
  }

 private:
  EventLoop& loop_;
};

async<void> reflect_into(Run& run, Context context, Roles roles) {
  Task task;
  LoopOptions options;
  run = co_await reflect(context, std::move(task), roles, std::move(options));
}

TEST(Loop, ACancelInsideACallLeavesARunWithItsReason) {
  EventLoop loop;
  Sleepy generator(loop);
  FunctionEvaluator evaluator([](const core::Run&, const Output&) { return passed(); });
  FunctionReflector reflector([](const core::Run&) { return Reflection(); });
  FunctionReviser reviser([](const core::Run&) { return Output(); });
  NoMemory memory;
  TestScene scene;
  SystemClock clock;
  Context context = scene.context();
  context.clock = &clock;
  core::Run run;
  loop.run([&] {
    return reflect_into(run, context, {generator, evaluator, reflector, reviser, memory});
  });
  ASSERT_TRUE(run.stop);
  EXPECT_EQ(run.stop->reason, StopReason::Cancelled);
  EXPECT_TRUE(run.attempts.empty());
}

// Tells what is asked of it.
class DiaryMemory final : public Memory {
 public:
  async<std::vector<Lesson>> recall(Context context, const Task&) override {
    diary.push_back("recall at " + std::string(context.path.text()));
    co_return std::vector<Lesson>{{std::to_string(diary.size()), "lesson"}};
  }
  async<std::vector<Lesson>> learn(Context, const Run& run) override {
    diary.push_back("learn from " + std::to_string(run.attempts.size()));
    co_return std::vector<Lesson>{{"1", "learned"}};
  }

  std::vector<std::string> diary;
};

core::Run diary_of(DiaryMemory& memory, LoopOptions options) {
  FunctionGenerator generator([](const core::Run&) { return Output{.text = "a"}; });
  FunctionReviser reviser([](const core::Run&) { return Output{.text = "b"}; });
  FunctionEvaluator evaluator([](const core::Run& run, const Output&) {
    return run.attempts.empty() ? failed(Score(0.1), {}) : passed();
  });
  FunctionReflector reflector([](const core::Run&) { return Reflection{.text = "try harder"}; });
  TestScene scene;
  return scene.run(Task{.prompt = "task"}, {generator, evaluator, reflector, reviser, memory},
                   options);
}

using Diary = std::vector<std::string>;

TEST(Loop, RecallsAtTheStartAndLearnsAtTheEnd) {
  DiaryMemory memory;
  const core::Run run = diary_of(memory, {});
  EXPECT_EQ(memory.diary, (Diary{"recall at recall", "learn from 2"}));
  EXPECT_EQ(run.learned.size(), 1U);
}

TEST(Loop, MayLearnFromEachReflectionAndRecallForEachAttempt) {
  DiaryMemory memory;
  const core::Run run = diary_of(memory, {.learns_at_once = true});
  EXPECT_EQ(memory.diary, (Diary{"recall at recall", "learn from 1", "recall at attempt/2/recall",
                                 "learn from 2"}));
  EXPECT_EQ(run.learned.size(), 1U) << "a lesson is learned once";
  EXPECT_EQ(run.recalled, (std::vector<Lesson>{{"3", "lesson"}})) << "the last recall counts";
}

TEST(Loop, MayReflectOnAPassAndNeverFailsByIt) {
  for (const int lasts : {99, 0}) {
    Story story{{"good"}, {{"good", 0.9}}};
    story.reflector_lasts = lasts;
    TestScene scene;
    const core::Run run = story.tell({.reflects_on_success = true}, scene);
    EXPECT_EQ(run.stop->reason, StopReason::Passed);
    EXPECT_EQ(run.attempts[0].reflection.has_value(), lasts > 0);
  }
}

TEST(Loop, AnAttemptThatNobodyCanJudgeMayEndTheRun) {
  FunctionGenerator generator([](const core::Run&) { return Output{.text = "a"}; });
  FunctionReviser reviser(
      [](const core::Run& run) { return Output{.text = std::to_string(run.attempts.size())}; });
  FunctionEvaluator evaluator([](const core::Run&, const Output&) { return unknown("garbled"); });
  FunctionReflector reflector([](const core::Run&) { return Reflection{.text = "try harder"}; });
  NoMemory memory;
  for (const int limit : {1, 2}) {
    TestScene scene;
    const core::Run run =
        scene.run(Task{.prompt = "task"}, {generator, evaluator, reflector, reviser, memory},
                  {.stop = {.attempts = 5, .when = {}, .unjudged = limit}});
    EXPECT_EQ(run.attempts.size(), static_cast<std::size_t>(limit));
    EXPECT_EQ(run.stop->reason, StopReason::Error);
    EXPECT_EQ(run.stop->detail,
              "attempt " + std::to_string(limit) + " could not be judged: garbled");
  }
}

}  // namespace
}  // namespace hone::core
