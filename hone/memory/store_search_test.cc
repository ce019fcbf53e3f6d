// What can be found in every store: words and vectors together, conditions, diversity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "hone/base/error.h"
#include "hone/memory/recall.h"
#include "hone/memory/store_testing.h"

namespace hone::memory {
namespace {

// Each text has the direction of the subject that it names in brackets: "[3]"; two subjects give
// the direction between them.
class SubjectEmbedder final : public core::Embedder {
 public:
  std::string name() const override { return "subjects"; }
  std::size_t dimensions() const override { return 64; }
  std::vector<Vector> embed(std::span<const std::string> texts) override {
    std::vector<Vector> vectors;
    for (const std::string& text : texts) {
      Vector vector(64);
      float square = 0;
      for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
        vector[static_cast<std::size_t>(text[at + 1] - '0') * 8] = 1;
        ++square;
      }
      for (float& part : vector) part = square == 0 ? 0 : part / std::sqrt(square);
      vectors.push_back(vector);
      ++embedded;
    }
    return vectors;
  }
  core::RelevanceLine relevance_line() const override { return {14, 14, 7, 0}; }
  std::size_t at_once() const override { return 1000; }
  int embedded = 0;
};

template <class Kept>
class Search : public testing::Test {
 protected:
  Search() : store_(kept_.open()) {}

  std::string add(const std::string& text, int number = 0, const std::string& type = "") {
    StoredLesson made = lesson(text, number == 0 ? ++number_ : number);
    made.task_type = type;
    return store_->add(std::span(&made, 1)).front().id;
  }
  std::vector<std::string> found(Question question) {
    std::vector<std::string> texts;
    for (const Hit& hit : Recall(*store_, embedder_).recall(question).hits)
      texts.push_back(hit.lesson.text);
    return texts;
  }

  Kept kept_;
  std::unique_ptr<LessonStore> store_;
  SubjectEmbedder embedder_;
  int number_ = 100;
};

TYPED_TEST_SUITE(Search, AllStores);

using Texts = std::vector<std::string>;

TYPED_TEST(Search, FindsByWordsByMeaningAndFirstByBoth) {
  this->add("Sift flour twice.");
  this->add("Sieve the powder [1].");
  this->add("Sift flour over the bowl [1].");
  this->add("Drive carefully [2].");
  const Texts both = this->found({.text = "Sift flour [1]", .most = 9, .diversity = 0});
  ASSERT_EQ(both.size(), 3U);
  EXPECT_EQ(both.front(), "Sift flour over the bowl [1].");
  EXPECT_EQ(this->found({.text = "Sift flour", .most = 9}).size(), 2U);
  EXPECT_EQ(this->found({.text = "What about [1]?", .most = 9}).size(), 2U);
  EXPECT_TRUE(this->found({.text = "What about [5]?", .most = 9}).empty());
}

TYPED_TEST(Search, FusesTheTwoRanksByTheirReciprocals) {
  this->add("Sift flour twice.");
  const std::string id = this->add("Sift flour over the bowl [1].");
  LessonIndex index("default", this->embedder_);
  index.sync(*this->store_);
  index.embed(this->store_.get(), 10);
  const auto candidates = index.candidates(index.sought("bowl [1]"), std::string("default"), 30);
  ASSERT_FALSE(candidates.empty());
  EXPECT_EQ(candidates.front().id, id);
  EXPECT_NEAR(candidates.front().fused, 1 / 61.0 + 1 / 61.0, 1e-12);
}

TYPED_TEST(Search, TakesAllConditions) {
  for (int number = 1; number <= 4; ++number) {
    const std::string digit = std::to_string(number);
    this->add("Subject [1] number " + digit, number, number % 2 == 0 ? "even" : "odd");
    const Trial trial{.lesson = lesson("", number).id, .run = "r" + digit};
    for (int times = 0; times < number; ++times) {
      Trial again = trial;
      again.run += std::to_string(times);
      this->store_->record("default", std::span(&again, 1));
    }
  }
  struct Case {
    std::string filter;
    std::set<int> numbers;
  };
  for (const Case& one :
       {Case{R"({})", {1, 2, 3, 4}}, Case{R"({"recalled": 3})", {3}},
        Case{R"({"recalled": [1, 4]})", {1, 4}}, Case{R"({"recalled": {"$eq": 2}})", {2}},
        Case{R"({"recalled": {"$ne": 2}})", {1, 3, 4}}, Case{R"({"recalled": {"$gt": 2}})", {3, 4}},
        Case{R"({"recalled": {"$gte": 2}})", {2, 3, 4}}, Case{R"({"recalled": {"$lt": 2}})", {1}},
        Case{R"({"recalled": {"$lte": 2}})", {1, 2}}, Case{R"({"recalled": {"$in": [2, 9]}})", {2}},
        Case{R"({"recalled": {"$nin": [2, 9]}})", {1, 3, 4}},
        Case{R"({"absent": {"$exists": false}, "recalled": 1})", {1}},
        Case{R"({"task_type": {"$exists": true}, "recalled": 1})", {1}},
        Case{R"({"$and": [{"task_type": "odd"}, {"recalled": {"$gt": 1}}]})", {3}},
        Case{R"({"$or": [{"recalled": 1}, {"recalled": 4}]})", {1, 4}},
        Case{R"({"$not": {"task_type": "odd"}})", {2, 4}},
        Case{R"({"recalled": {"$gt": "2"}})", {}}}) {
    std::set<int> numbers;
    for (const std::string& text :
         this->found({.text = "[1]", .most = 9, .least = 0, .filter = Filter(one.filter)}))
      numbers.insert(text.back() - '0');
    EXPECT_EQ(numbers, one.numbers) << one.filter;
  }
}

TYPED_TEST(Search, ADiverseChoicePrefersAnotherSubject) {
  this->add("First [1].");
  this->add("Second [1].");
  this->add("Third [1][2].");
  const Question alike{.text = "[1]", .most = 2, .least = 0, .diversity = 0};
  Question diverse = alike;
  diverse.diversity = 0.9;
  EXPECT_EQ(std::ranges::count(this->found(alike), "Third [1][2]."), 0);
  EXPECT_EQ(this->found(diverse).back(), "Third [1][2].");
}

TYPED_TEST(Search, WhatIsErasedForgottenOrEditedIsFoundAsItIsNow) {
  const std::string gone = this->add("Gone [1].");
  const std::string quiet = this->add("Quiet [1].");
  const std::string moved = this->add("Moved [1].");
  ASSERT_EQ(this->found({.text = "[1]", .least = 0}).size(), 3U);
  this->store_->erase("default", std::span(&gone, 1));
  StoredLesson lesson = this->store_->find("default", quiet).value();
  lesson.forgotten = true;
  this->store_->replace(lesson);
  lesson = this->store_->find("default", moved).value();
  lesson.text = "Moved [2].";
  this->store_->replace(lesson);
  EXPECT_TRUE(this->found({.text = "What about [1]?"}).empty());
  EXPECT_EQ(this->found({.text = "What about [2]?"}), Texts{"Moved [2]."});
}

TYPED_TEST(Search, AddedIdsAreKeptAndAddedAgainChangeNothing) {
  StoredLesson made = lesson("Own id [1].");
  made.id = "00000000000000ab";
  for (int times = 0; times < 2; ++times) this->store_->add(std::span(&made, 1));
  EXPECT_EQ(this->store_->find("default", made.id)->text, made.text);
  EXPECT_EQ(this->found({.text = "What about [1]?"}).size(), 1U);
}

TYPED_TEST(Search, AStoreThatIsOpenedAgainHasItsVectors) {
  if (!TypeParam::kLasts) GTEST_SKIP() << "this store is gone with its object";
  this->add("Kept [1].");
  this->found({.text = "[1]"});
  this->store_.reset();
  this->store_ = this->kept_.open();
  const int before = this->embedder_.embedded;
  EXPECT_EQ(this->found({.text = "What about [1]?"}), Texts{"Kept [1]."});
  EXPECT_EQ(this->embedder_.embedded, before + 1);  // The question alone.
}

TYPED_TEST(Search, VectorsOfAnotherLengthAreMadeAgain) {
  const std::string id = this->add("Kept [1].");
  const std::vector<VectorOf> wrong{{id, {1, 2, 3}}};
  this->store_->keep_vectors("default", "subjects", wrong);
  EXPECT_EQ(this->found({.text = "What about [1]?"}), Texts{"Kept [1]."});
}

}  // namespace
}  // namespace hone::memory
