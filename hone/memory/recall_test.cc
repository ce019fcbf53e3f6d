#include "hone/memory/recall.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hone/base/error.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

class RecallTest : public testing::Test {
 protected:
  StoredLesson add(StoredLesson made) {
    store_->add(std::span(&made, 1));
    return made;
  }
  StoredLesson add(const std::string& text, Owner owner = {}) {
    return add(lesson(text, ++number_, std::move(owner)));
  }
  std::vector<std::string> texts(const Question& question) {
    std::vector<std::string> texts;
    for (const Hit& hit : recall_.recall(question).hits) texts.push_back(hit.lesson.text);
    return texts;
  }
  void add_three() {
    add("Return bare JSON without fences when a program parses the answer.");
    add("Let bread dough rest until it has doubled.");
    add("Use parameters instead of pasting values into SQL.");
  }

  int number_ = 0;
  std::unique_ptr<LessonStore> store_ = make_lesson_store();
  LexicalEmbedder embedder_;
  Recall recall_{*store_, embedder_};
};

using Texts = std::vector<std::string>;

TEST_F(RecallTest, FindsWhatTheTaskIsAbout) {
  add_three();
  EXPECT_EQ(texts({.text = "Write a recipe for bread dough."}),
            Texts{"Let bread dough rest until it has doubled."});
}

TEST_F(RecallTest, ShowsNothingToATaskThatNoLessonIsAbout) {
  add_three();
  EXPECT_EQ(texts({.text = "Who wrote Don Quixote?"}), Texts());
  EXPECT_EQ(texts({.text = ""}), Texts());
  EXPECT_EQ(texts({.text = "Write a recipe for bread dough.", .most = 0}), Texts());
}

TEST_F(RecallTest, TellsHowManyItHid) {
  for (const std::string topping : {"cheese", "olives", "tuna", "ham", "spinach"})
    add("Pizza dough with " + topping + " bakes at 250 degrees.");
  const Recalled recalled = recall_.recall({.text = "Bake pizza dough with cheese at 250 degrees"});
  EXPECT_EQ(recalled.hits.size(), 3U);
  EXPECT_EQ(recalled.beyond, 2U);
  EXPECT_EQ(recalled.hits.front().lesson.text, "Pizza dough with cheese bakes at 250 degrees.");
  const Recalled strict =
      recall_.recall({.text = "Bake pizza dough with cheese at 250 degrees", .least = 1});
  EXPECT_GT(strict.below, 0U);
}

TEST_F(RecallTest, NeverCrossesTenants) {
  add("Let bread dough rest until it has doubled.", {.tenant = "a"});
  const std::string task = "Write a recipe for bread dough.";
  EXPECT_EQ(texts({.scope = {.tenant = "b", .agent = std::nullopt}, .text = task}), Texts());
  EXPECT_EQ(texts({.scope = {.tenant = "a"}, .text = task}).size(), 1U);
}

TEST_F(RecallTest, CrossesAgentsOnlyWhenAsked) {
  add("Let bread dough rest until it has doubled.", {.agent = "baker"});
  const std::string task = "Write a recipe for bread dough.";
  EXPECT_EQ(texts({.text = task}), Texts());
  EXPECT_EQ(texts({.scope = {.agent = "baker"}, .text = task}).size(), 1U);
  EXPECT_EQ(texts({.scope = {.agent = std::nullopt}, .text = task}).size(), 1U);
}

TEST_F(RecallTest, ForgottenErasedAndEditedLessonsAreFollowed) {
  StoredLesson made = add("Let bread dough rest until it has doubled.");
  const Question question{.text = "Write a recipe for bread dough."};
  ASSERT_EQ(texts(question).size(), 1U);
  made.forgotten = true;
  store_->replace(made);
  EXPECT_EQ(texts(question), Texts());
  made.forgotten = false;
  made.text = "Knead bread dough for ten minutes.";
  store_->replace(made);
  EXPECT_EQ(texts(question), Texts{made.text});
  store_->erase("default", std::span(&made.id, 1));
  EXPECT_EQ(texts(question), Texts());
}

TEST_F(RecallTest, TheProtocolsOrderIsTypeThenToolThenMeaningThenTheNewest) {
  StoredLesson old = lesson("Check the status of curl calls.", 1);
  StoredLesson recent = lesson("Check the status of all curl calls.", 2);
  StoredLesson same_tool = lesson("Check the calls of the status page.", 3);
  same_tool.tool = "curl";
  StoredLesson same_type = lesson("Calls have a status to check too.", 0);
  same_type.task_type = "scraping";
  for (const StoredLesson& made : {old, recent, same_tool, same_type}) add(made);
  const Question question{.text = "Check the status of calls with curl",
                          .task_type = "scraping",
                          .most = 4,
                          .order = Order::Protocol,
                          .least = 0};
  const Texts found = texts(question);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0], same_type.text);
  EXPECT_EQ(found[1], same_tool.text);
}

TEST_F(RecallTest, AmongEquallyMeantTheNewestComesFirst) {
  add(lesson("Check the status of curl calls!", 1, {.agent = "a"}));
  add(lesson("Check the status of curl calls.", 9, {.agent = "b"}));
  const Recalled recalled = recall_.recall({.scope = {.agent = std::nullopt},
                                            .text = "Check the status of curl calls",
                                            .order = Order::Protocol});
  ASSERT_EQ(recalled.hits.size(), 2U);
  EXPECT_EQ(recalled.hits.front().lesson.owner.agent, "b");
}

TEST_F(RecallTest, DiversityPrefersAnotherSubject) {
  add("Parse dates with a date library.");
  add("Parse all dates with a library for dates.");
  add("Dates need a time zone.");
  const Question alike{
      .text = "Parse dates with a date library", .most = 2, .least = 0, .diversity = 0};
  Question diverse = alike;
  diverse.diversity = 0.9;
  EXPECT_EQ(texts(alike)[1], "Parse all dates with a library for dates.");
  EXPECT_EQ(texts(diverse)[1], "Dates need a time zone.");
}

TEST_F(RecallTest, AFilterIsObeyed) {
  StoredLesson code = lesson("Bread dough: rest it, says the code.", 1);
  code.task_type = "code";
  add(code);
  add("Let bread dough rest until it has doubled.");
  const Question question{.text = "Write a recipe for bread dough.",
                          .filter = Filter(R"({"task_type": "code"})")};
  EXPECT_EQ(texts(question), Texts{code.text});
}

TEST_F(RecallTest, OtherScriptsAreFound) {
  add("パンの生地は二倍になるまで休ませる。");
  add("اترك عجين الخبز حتى يتضاعف حجمه");
  add("🍕🍅 bakes at 250 degrees.");
  EXPECT_EQ(texts({.text = "🍕🍅"}).size(), 1U);
  EXPECT_EQ(texts({.text = "パンの生地を作る"}).size(), 1U);
  EXPECT_EQ(texts({.text = "كيف أحضر عجين الخبز"}).size(), 1U);
}

TEST_F(RecallTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(recall_.recall({.text = "x", .least = 2}), Error);
  EXPECT_THROW(recall_.recall({.text = "x", .diversity = -1}), Error);
  EXPECT_THROW(recall_.recall({.scope = {.tenant = "../b"}, .text = "x"}), Error);
}

// Another model: its vectors are of another length and mean other things.
class ConstantEmbedder final : public core::Embedder {
 public:
  std::string name() const override { return "constant"; }
  std::size_t dimensions() const override { return 64; }
  std::vector<std::vector<float>> embed(std::span<const std::string> texts) override {
    embedded += texts.size();
    Vector vector(64);
    vector[0] = 1;
    return std::vector<Vector>(texts.size(), vector);
  }
  core::RelevanceLine relevance_line() const override { return {14, 14, 11.95, 0}; }
  std::size_t at_once() const override { return most; }
  std::size_t most = 100;
  std::size_t embedded = 0;
};

TEST_F(RecallTest, AChangeOfTheModelEmbedsAgainOnce) {
  add_three();
  recall_.recall({.text = "bread"});
  ConstantEmbedder other;
  EXPECT_EQ(Recall(*store_, other).recall({.text = "Wer schrieb das?"}).hits.size(), 3U);
  EXPECT_EQ(other.embedded, 4U);
  Recall(*store_, other).recall({.text = "Wer schrieb das?"});
  EXPECT_EQ(other.embedded, 5U);
}

TEST_F(RecallTest, LessonsThatWaitForTheirVectorAreFoundByTheirWords) {
  add_three();
  ConstantEmbedder other;
  other.most = 1;
  Recall recalling(*store_, other);
  const std::string dough = "Let bread dough rest until it has doubled.";
  const auto shows_dough = [&] {
    const auto hits = recalling.recall({.text = "Write a recipe for bread dough."}).hits;
    return std::ranges::any_of(hits, [&](const Hit& hit) { return hit.lesson.text == dough; });
  };
  // One lesson and the question at a time, until all have their vector.
  for (const std::size_t embedded : {2U, 4U, 6U, 7U, 8U}) {
    EXPECT_TRUE(shows_dough());
    EXPECT_EQ(other.embedded, embedded);
  }
  Recall(*store_, other, Embedding::All).recall({.text = "bread"});
  EXPECT_EQ(other.embedded, 9U);
}

class BrokenEmbedder final : public core::Embedder {
 public:
  std::string name() const override { return "constant"; }
  std::size_t dimensions() const override { return 64; }
  std::vector<Vector> embed(std::span<const std::string>) override {
    ++asked;
    throw Error(ErrorKind::Corrupt, "the model file is damaged");
  }
  core::RelevanceLine relevance_line() const override { return {14, 14, 7, 0}; }
  std::size_t at_once() const override { return 100; }
  int asked = 0;
};

TEST_F(RecallTest, AnEmbedderThatFailsIsGivenUpForWordsAndItsVectorsStay) {
  add_three();
  ConstantEmbedder works;
  Recall(*store_, works).recall({.text = "bread"});
  add("Proof bread dough in a warm place.");
  BrokenEmbedder broken;
  Recall recalling(*store_, broken);
  for (int times = 0; times < 2; ++times) {
    const Recalled recalled = recalling.recall({.text = "Write a recipe for bread dough."});
    EXPECT_EQ(recalled.hits.size(), 2U);
    EXPECT_EQ(recalled.problem, "the model file is damaged");
  }
  EXPECT_EQ(broken.asked, 1);
  int kept = 0;
  store_->changes("default", 0, "constant",
                  [&](const ChangedLesson& changed) { kept += changed.vector.empty() ? 0 : 1; });
  EXPECT_EQ(kept, 3);
}

}  // namespace
}  // namespace hone::memory
