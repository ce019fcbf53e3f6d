// Without lessons a run asks exactly what one asks that was built without memory.
#include <gtest/gtest.h>

#include "hone/task/loomflow_testing.h"

namespace hone::task {
namespace {

std::vector<core::ModelRequest> asked_with(const TaskFile& file, core::Memory& memory) {
  FakeModel model({reply("first"), reply(verdict(0.2)), reply("Add a total. Always."),
                   reply("second"), reply(verdict(0.1)), reply("Name the unit. Always."),
                   reply("third"), reply(verdict(0.3)), reply("Mind the sign. Always.")});
  reflect::ModelGenerator generator(model);
  evaluate::Judge judge(model, {.rubric = "Is it right?", .score = evaluate::ScoreFrom::Stated});
  reflect::ModelReflector reflector(model, {}, file.reflect.options);
  reflect::ModelReviser reviser(model, file.revise);
  core::TestScene scene;
  const core::LoopOptions options{.stop = {.attempts = 3, .when = {}}, .reflects_on_failure = true};
  scene.run(file.task, {generator, judge, reflector, reviser, memory}, options);
  EXPECT_EQ(model.asked.size(), 9U);
  return model.asked;
}

TEST(WithoutLessons, EveryPromptOfARunIsTheSameAsWithoutMemory) {
  const std::string files[] = {"",
                               "profile: protocol\n",
                               "profile: paper\n",
                               "revise: full_rewrite\n",
                               "revise: {policy: show_best}\n",
                               "revise: {policy: lessons}\nsystem: Be brief.\n"};
  for (const std::string& rest : files) {
    const TaskFile file = parsed("task: Add the numbers of the order.\n" + rest);
    core::NoMemory none;
    LessonShelf shelf;
    memory::Lessons empty(shelf.store, shelf.embedder, {.order = file.lessons.order});
    const auto without = asked_with(file, none);
    const auto with = asked_with(file, empty);
    ASSERT_EQ(without.size(), with.size());
    for (std::size_t call = 0; call < without.size(); ++call)
      EXPECT_EQ(without[call], with[call]) << rest << "call " << call;
    EXPECT_EQ(shelf.store->count({}), 3) << "it learned all the same";
  }
}

TEST(WithoutLessons, WhatIsNotRelevantChangesNoPromptEither) {
  const TaskFile file = parsed("task: Add the numbers of the order.\n");
  LessonShelf shelf;
  memory::StoredLesson lesson{.id = memory::lesson_id({}, "x", {}),
                              .text = "Rhyme every second line of a poem about whales."};
  shelf.store->add(std::span(&lesson, 1));
  core::NoMemory none;
  memory::Lessons lessons(shelf.store, shelf.embedder, {.learn = false});
  EXPECT_EQ(asked_with(file, none), asked_with(file, lessons));
}

}  // namespace
}  // namespace hone::task
