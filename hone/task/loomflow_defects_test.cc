// What loomflow's Reflexion class gets wrong by measurement or by its source, and what becomes of
// it here. Each test says what the class does; it fails where hone does the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hone/core/function_roles.h"
#include "hone/memory/learning.h"
#include "hone/task/loomflow_testing.h"

namespace hone::task {
namespace {

Answers failing_then_good(const std::string& lesson) {
  return {reply("bad"), reply(verdict(0.3)), reply(lesson), reply("good"), reply(verdict(0.9))};
}

// The class writes lessons without the user that it runs for and reads them with it: a named user
// never sees an own lesson, and everybody without a name sees all of them.
TEST(LoomflowDefect, L1LessonsBelongToTheirUser) {
  LessonShelf shelf;
  const Reflexion alice(shelf, failing_then_good("Use ISO 8601 dates."), "loomflow",
                        "lessons: {tenant: alice}\n");
  EXPECT_NE(alice.sent(3).find("- Use ISO 8601 dates."), std::string::npos);
  EXPECT_EQ(shelf.store->count({.tenant = "alice"}), 1);
  EXPECT_EQ(shelf.store->count({.tenant = "default"}), 0);
  const Reflexion nobody(shelf, {reply("good"), reply(verdict(0.9))});
  EXPECT_EQ(nobody.sent(0).find("ISO 8601"), std::string::npos);
}

// The class joins the lessons of a block without a line end: "- One.- Two.".
TEST(LoomflowDefect, L2EachLessonHasItsOwnLine) {
  LessonShelf shelf;
  const Reflexion one(
      shelf,
      {reply("a"), reply(verdict(0.1)), reply("Use ISO 8601 dates."), reply("b"),
       reply(verdict(0.1)), reply("Name the time zone."), reply("c"), reply(verdict(0.9))},
      "{loomflow: {lesson_store: ~}}");
  EXPECT_NE(one.sent(6).find("\n- Use ISO 8601 dates.\n- Name the time zone.\n"), std::string::npos)
      << one.sent(6);
}

// The class returns the last output, here the worst of three.
TEST(LoomflowDefect, L3TheBestAttemptIsReturned) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("best"), reply(verdict(0.7)), reply("Use ISO 8601 dates."),
                              reply("worse"), reply(verdict(0.1)), reply("Name the time zone."),
                              reply("worst"), reply(verdict(0.0)), reply("Check leap days.")});
  EXPECT_EQ(one.run.attempts.size(), 3U);
  EXPECT_EQ(one.output(), "best");
}

const std::vector<std::string> kAdvice{
    "Always write dates as ISO 8601.", "Close every file that was opened.",
    "Answer in the language of the question.", "Escape quotes in shell commands.",
    "Cite the source of each number."};

double cosine(const memory::Vector& left, const memory::Vector& right) {
  double product = 0;
  for (std::size_t i = 0; i < left.size(); ++i) product += left[i] * right[i];
  return product;
}

// The advice that is nearest to the question.
template <class Embed>
std::string nearest(const std::string& question, Embed embed) {
  const memory::Vector asked = embed(question);
  return *std::ranges::max_element(
      kAdvice, {}, [&](const std::string& text) { return cosine(asked, embed(text)); });
}

// The embedder that the class is documented with is a random vector for each text: what is nearest
// says nothing.
TEST(LoomflowDefect, L4NearnessMeansSomething) {
  memory::LexicalEmbedder embedder;
  const auto lexical = [&](const std::string& text) {
    const std::vector<std::string> texts{text};
    return embedder.embed(texts).front();
  };
  const auto hashed = [](const std::string& text) {
    std::mt19937_64 random(std::hash<std::string>()(text));
    std::normal_distribution<float> normal;
    memory::Vector vector(384);
    double length = 0;
    for (float& x : vector) {
      x = normal(random);
      length += x * x;
    }
    for (float& x : vector) x /= static_cast<float>(std::sqrt(length));
    return vector;
  };
  const std::vector<std::pair<std::string, std::size_t>> questions{
      {"parse the dates", 0},      {"write to the files", 1}, {"answer this question", 2},
      {"run these commands", 3},   {"what is the number", 4}, {"dates of the letters", 0},
      {"opened a file twice", 1},  {"which language", 2},     {"quotes around names", 3},
      {"sources of the claims", 4}};
  std::size_t found = 0;
  std::size_t by_chance = 0;
  for (const auto& [question, advice] : questions) {
    found += nearest(question, lexical) == kAdvice[advice] ? 1U : 0U;
    by_chance += nearest(question, hashed) == kAdvice[advice] ? 1U : 0U;
  }
  EXPECT_GE(found, questions.size() - 1);
  EXPECT_LT(by_chance, questions.size() / 2);
}

// The class compares the task with the text of the lesson alone, so that a lesson in other words
// than the task's is never found; its page says that lessons are found by the task that failed.
TEST(LoomflowDefect, L5ALessonIsFoundByTheTaskThatFailed) {
  LessonShelf shelf;
  const std::string task = "Summarise the quarterly memo for the board.";
  Reflexion(shelf, failing_then_good("Never exceed ninety characters."), "loomflow", "", task);
  const Reflexion later(shelf, {reply("good"), reply(verdict(0.9))}, "loomflow", "",
                        "Summarise the quarterly memo for the staff.");
  EXPECT_NE(later.sent(0).find("Never exceed ninety characters."), std::string::npos);
}

// The class has one store for everybody, keeps every repeat, shows the best of what does not fit,
// and never forgets.
TEST(LoomflowDefect, L6TheStoreIsKeptApartCleanRelevantAndBounded) {
  LessonShelf shelf;
  for (int i = 0; i < 5; ++i) Reflexion(shelf, failing_then_good("Use ISO 8601 dates."));
  EXPECT_EQ(shelf.store->count({}), 1) << "repeats are counted, not stored";
  const Reflexion other(shelf, {reply("good"), reply(verdict(0.9))}, "loomflow",
                        "lessons: {agent: other}\n");
  EXPECT_TRUE(other.run.recalled.empty()) << "it is another agent's";
  const Reflexion unrelated(shelf, {reply("good"), reply(verdict(0.9))}, "loomflow", "",
                            "Compose a haiku about rain.");
  EXPECT_TRUE(unrelated.run.recalled.empty()) << "it is not relevant enough";
  memory::Recall recall(*shelf.store, *shelf.embedder);
  memory::Learning bounded(*shelf.store, recall, 2);
  for (const std::string& text : kAdvice) {
    memory::StoredLesson lesson{.id = memory::lesson_id({}, text, {}), .text = text};
    bounded.learn({lesson});
  }
  EXPECT_EQ(shelf.store->count({}), 2) << "the size is bounded";
}

// In block mode the class shows a lesson of one task in every later run, whatever it is about.
TEST(LoomflowDefect, L7ABlockBelongsToItsTask) {
  LessonShelf shelf;
  const std::string block = "{loomflow: {lesson_store: ~}}";
  Reflexion(shelf, failing_then_good("Use ISO 8601 dates."), block);
  const Reflexion other(shelf, {reply("good"), reply(verdict(0.9))}, block, "",
                        "Compose a haiku about rain.");
  EXPECT_EQ(other.sent(0).find("ISO 8601"), std::string::npos);
  const Reflexion same(shelf, {reply("good"), reply(verdict(0.9))}, block);
  EXPECT_NE(same.sent(0).find("ISO 8601"), std::string::npos);
}

// The class reads "8/10" as 8 and "85%" as 85, both cut to a perfect 1.0.
TEST(LoomflowDefect, L8ScoresOnAScaleAreConverted) {
  for (const auto& [judged, score] : std::vector<std::pair<std::string, double>>{
           {"Score: 8/10", 0.8}, {"score: 85%", 0.85}, {"score: 4 out of 5", 0.8}}) {
    LessonShelf shelf;
    const Reflexion one(shelf, {reply("out"), reply(judged), reply("Use ISO 8601 dates.")},
                        "{loomflow: {max_attempts: 1, threshold: 0.9}}");
    ASSERT_TRUE(one.score()) << judged;
    EXPECT_NEAR(*one.score(), score, 1e-9) << judged;
    EXPECT_FALSE(one.run.accepted()) << judged;
  }
}

// The class learns nothing from the last failure (with one attempt: nothing at all), and never from
// a success.
TEST(LoomflowDefect, L9TheLastFailureTeachesAndASuccessMay) {
  LessonShelf shelf;
  Reflexion(shelf, {reply("bad"), reply(verdict(0.1)), reply("Use ISO 8601 dates.")},
            "{loomflow: {max_attempts: 1}}");
  EXPECT_EQ(shelf.store->count({}), 1);
  const Reflexion good(
      shelf,
      {reply("good"), reply(verdict(0.9)),
       reply(R"({"procedure": "1. Read the zone. 2. Convert.", "why": "Zones differ."})")},
      "loomflow", "reflect: {form: by_outcome, success: true}\n");
  EXPECT_TRUE(good.run.accepted());
  const auto lessons = shelf.store->list({});
  ASSERT_EQ(lessons.size(), 2U);
  const auto playbook =
      std::ranges::find(lessons, memory::Kind::Playbook, &memory::StoredLesson::kind);
  ASSERT_NE(playbook, lessons.end());
  EXPECT_EQ(playbook->text, "1. Read the zone. 2. Convert.");
  EXPECT_EQ(playbook->reflection.why, "Zones differ.");
}

// Under a journal, the lesson that nobody sees makes the second request of the class equal to the
// first, which is then answered from the journal with the output that had failed.
TEST(LoomflowDefect, L10ARetryIsAnotherRequestAtAnotherPlace) {
  LessonShelf shelf;
  const Reflexion one(shelf, failing_then_good("Use ISO 8601 dates."), "loomflow",
                      "lessons: {tenant: alice}\n");
  EXPECT_NE(one.model.asked.at(3).messages, one.model.asked.at(0).messages);
  EXPECT_NE(one.model.paths.at(3), one.model.paths.at(0));
}

// The class takes what it cannot read for 0.0, a failure, and spends all its attempts on it: eight
// calls.
TEST(LoomflowDefect, L11AJudgeThatCannotBeReadEndsTheRun) {
  LessonShelf shelf;
  const Reflexion one(shelf, {reply("out"), reply("Lovely!"), reply("Lovely, really!")});
  EXPECT_EQ(one.model.asked.size(), 3U) << "an attempt, a verdict, and the verdict once more";
  EXPECT_EQ(one.run.stop->reason, core::StopReason::Error);
  EXPECT_EQ(one.score(), std::nullopt) << "not 0.0";
  EXPECT_EQ(one.output(), "out");
  EXPECT_EQ(shelf.store->count({}), 0);
}

// Shows a lesson once, and then nothing.
class Fading final : public core::Memory {
 public:
  async<std::vector<core::Lesson>> recall(core::Context, const core::Task&) override {
    std::vector<core::Lesson> lessons;
    if (recalls_++ == 0) lessons.push_back({"1", "Use ISO 8601 dates."});
    co_return lessons;
  }
  async<std::vector<core::Lesson>> learn(core::Context, const core::Run&) override {
    co_return std::vector<core::Lesson>();
  }

 private:
  int recalls_ = 0;
};

// A recall without hits leaves the block of the class as the recall before had written it.
TEST(LoomflowDefect, L12WhatIsNoLongerRecalledIsNoLongerShown) {
  const TaskFile file = parsed("task: x\nprofile: loomflow\n");
  FakeModel model({reply("a"), reply("Name the time zone."), reply("b")});
  reflect::ModelGenerator generator(model);
  core::FunctionEvaluator evaluator([](const core::Run& run, const core::Output&) {
    return run.attempts.empty() ? core::failed(Score(0.1), {}) : core::passed();
  });
  reflect::ModelReflector reflector(model, {}, file.reflect.options);
  reflect::ModelReviser reviser(model, file.revise);
  Fading memory;
  core::TestScene scene;
  const core::Run run = scene.run(file.task, {generator, evaluator, reflector, reviser, memory},
                                  {.stop = file.stop, .learns_at_once = file.lessons.at_once});
  EXPECT_NE(model.asked.at(0).messages.back().text.find("ISO 8601"), std::string::npos);
  EXPECT_EQ(model.asked.at(2).messages.back().text.find("ISO 8601"), std::string::npos);
  EXPECT_TRUE(run.recalled.empty());
}

}  // namespace
}  // namespace hone::task
