// What every store of lessons does, whatever it is made of.
#include <gtest/gtest.h>

#include <thread>

#include "hone/base/error.h"
#include "hone/memory/store_testing.h"

namespace hone::memory {
namespace {

template <class Kept>
class Store : public testing::Test {
 protected:
  Store() : store_(kept_.open()) {}

  Addition add(const StoredLesson& made) { return store_->add(std::span(&made, 1)).front(); }
  StoredLesson get(const std::string& id, const std::string& tenant = "default") {
    return store_->find(tenant, id).value();
  }
  std::vector<std::string> changed_since(Revision& revision, const std::string& model = "m") {
    std::vector<std::string> seen;
    revision = store_->changes("default", revision, model, [&](const ChangedLesson& changed) {
      std::string line = changed.lesson.id + (changed.erased ? " erased" : "");
      for (const float part : changed.vector) line += " " + std::to_string(static_cast<int>(part));
      seen.push_back(line);
    });
    return seen;
  }

  Kept kept_;
  std::unique_ptr<LessonStore> store_;
};

TYPED_TEST_SUITE(Store, AllStores);

TYPED_TEST(Store, GivesBackWhatWasAdded) {
  StoredLesson made = lesson("Check the status before the body. ✓ 状態");
  made.kind = Kind::Playbook;
  made.ending = Ending::Partial;
  made.task_type = "code";
  made.tool = "curl";
  made.conditions = "always";
  made.task = "Fetch";
  made.reflection = {"t", "a", "b", "c", "d", "e", "f", "g"};
  made.provenance.evidence = "It failed.";
  made.trials = {.recalled = 4, .passed = 2, .failed = 1, .unknown = 1};
  made.merged = 3;
  made.contradicts = {"x"};
  made.probation = true;
  EXPECT_EQ(this->add(made), (Addition{Added::Stored, made.id}));
  EXPECT_EQ(this->get(made.id), made);
  EXPECT_EQ(this->store_->list({}), std::vector{made});
}

TYPED_TEST(Store, AddsTheSameLessonOnce) {
  const StoredLesson made = lesson("One.");
  this->add(made);
  EXPECT_EQ(this->add(made), (Addition{Added::Known, made.id}));
  EXPECT_EQ(this->store_->count({}), 1);
  EXPECT_EQ(this->get(made.id).merged, 0);
}

TYPED_TEST(Store, CountsTheSameAdviceFromAnotherRunOnce) {
  const StoredLesson first = lesson("Return bare JSON.", 1);
  const StoredLesson again = lesson("return bare  JSON", 2);
  this->add(first);
  EXPECT_EQ(this->add(again), (Addition{Added::Merged, first.id}));
  EXPECT_EQ(this->add(again), (Addition{Added::Known, first.id}));
  EXPECT_EQ(this->get(first.id).merged, 1);
  EXPECT_EQ(this->store_->count({}), 1);
}

TYPED_TEST(Store, MergesALessonOnce) {
  const StoredLesson made = lesson("One.");
  this->add(made);
  EXPECT_TRUE(this->store_->merge("default", {.id = "n", .into = made.id}));
  EXPECT_FALSE(this->store_->merge("default", {.id = "n", .into = made.id}));
  EXPECT_EQ(this->get(made.id).merged, 1);
  EXPECT_THROW(this->store_->merge("default", {.id = "m", .into = "none"}), Error);
}

TYPED_TEST(Store, KeepsTenantsApart) {
  const StoredLesson mine = lesson("Ours alone.", 1, {.tenant = "a"});
  this->add(mine);
  EXPECT_EQ(this->store_->find("b", mine.id), std::nullopt);
  EXPECT_TRUE(this->store_->list({.tenant = "b", .agent = std::nullopt}).empty());
  const std::vector<std::string> ids{mine.id};
  this->store_->erase("b", ids);
  const std::vector<Trial> trials{{.lesson = mine.id, .run = "r"}};
  this->store_->record("b", trials);
  EXPECT_TRUE(this->store_->trials("b", mine.id).empty());
  EXPECT_EQ(this->get(mine.id, "a"), mine);
  int seen = 0;
  this->store_->changes("b", 0, "m", [&](const ChangedLesson&) { ++seen; });
  EXPECT_EQ(seen, 0);
  // The same text of another tenant is another lesson.
  const StoredLesson theirs = lesson("Ours alone.", 2, {.tenant = "b"});
  EXPECT_EQ(this->add(theirs).outcome, Added::Stored);
}

TYPED_TEST(Store, ShowsOneAgentOrAll) {
  this->add(lesson("A.", 1, {.agent = "a"}));
  this->add(lesson("B.", 2, {.agent = "b"}));
  EXPECT_EQ(this->store_->count({.agent = "a"}), 1);
  EXPECT_EQ(this->store_->list({.agent = "b"}).front().text, "B.");
  EXPECT_EQ(this->store_->count({.agent = std::nullopt}), 2);
  EXPECT_EQ(this->store_->count({.agent = "c"}), 0);
}

TYPED_TEST(Store, ReplacesTextAndKeepsCounts) {
  StoredLesson made = lesson("Old.");
  this->add(made);
  this->store_->merge("default", {.id = "n", .into = made.id});
  made.text = "New.";
  made.forgotten = true;
  this->store_->replace(made);
  EXPECT_EQ(this->get(made.id).text, "New.");
  EXPECT_TRUE(this->get(made.id).forgotten);
  EXPECT_EQ(this->get(made.id).merged, 1);
  EXPECT_EQ(this->add(lesson("new", 7)).outcome, Added::Merged);
  EXPECT_EQ(this->add(lesson("old", 8)).outcome, Added::Stored);
  EXPECT_THROW(this->store_->replace(lesson("Unknown.", 9)), Error);
}

TYPED_TEST(Store, MayBeEditedIntoAnEqualText) {
  StoredLesson one = lesson("One.", 1);
  this->add(one);
  this->add(lesson("Two.", 2));
  one.text = "Two.";
  EXPECT_NO_THROW(this->store_->replace(one));
  EXPECT_EQ(this->store_->count({}), 2);
}

TYPED_TEST(Store, ErasedLessonsStayErased) {
  const StoredLesson made = lesson("Secret.");
  this->add(made);
  const std::vector<std::string> ids{made.id, "unknown"};
  this->store_->erase("default", ids);
  EXPECT_EQ(this->store_->find("default", made.id), std::nullopt);
  EXPECT_EQ(this->store_->count({}), 0);
  EXPECT_EQ(this->add(made).outcome, Added::Known);
  EXPECT_EQ(this->store_->count({}), 0);
  EXPECT_EQ(this->add(lesson("Secret.", 5)).outcome, Added::Stored);
}

TYPED_TEST(Store, CountsARunOnceAndItsLastOutcome) {
  StoredLesson made = lesson("One.");
  made.probation = true;
  this->add(made);
  const auto record = [&](std::string run, std::optional<core::Outcome> outcome) {
    const Trial trial{.lesson = made.id, .run = std::move(run), .outcome = outcome, .at = day(1)};
    this->store_->record("default", std::span(&trial, 1));
  };
  record("r1", {});
  record("r1", {});
  EXPECT_EQ(this->get(made.id).trials, (Trials{.recalled = 1}));
  record("r1", core::Outcome::Failed);
  record("r1", core::Outcome::Failed);
  EXPECT_TRUE(this->get(made.id).probation);
  record("r2", core::Outcome::Unknown);
  record("r1", core::Outcome::Passed);
  record("r1", {});
  EXPECT_EQ(this->get(made.id).trials, (Trials{.recalled = 2, .passed = 1, .unknown = 1}));
  EXPECT_FALSE(this->get(made.id).probation);
  ASSERT_EQ(this->store_->trials("default", made.id).size(), 2U);
  EXPECT_EQ(this->store_->trials("default", made.id).back().outcome, core::Outcome::Passed);
}

TYPED_TEST(Store, TellsWhatChanged) {
  Revision revision = 0;
  StoredLesson one = lesson("One.", 1);
  this->add(one);
  this->add(lesson("Two.", 2));
  EXPECT_EQ(this->changed_since(revision).size(), 2U);
  EXPECT_TRUE(this->changed_since(revision).empty());
  one.text = "Uno.";
  this->store_->replace(one);
  EXPECT_EQ(this->changed_since(revision), std::vector{one.id});
  const std::vector<std::string> ids{one.id};
  this->store_->erase("default", ids);
  EXPECT_EQ(this->changed_since(revision), std::vector{one.id + " erased"});
}

TYPED_TEST(Store, KeepsVectorsOfOneModel) {
  const StoredLesson made = lesson("One.", 1);
  this->add(made);
  const std::vector<VectorOf> vectors{{made.id, {3, 4}}, {"unknown", {1}}};
  this->store_->keep_vectors("default", "m", vectors);
  Revision revision = 0;
  EXPECT_EQ(this->changed_since(revision), std::vector{made.id + " 3 4"});
  revision = 0;
  EXPECT_EQ(this->changed_since(revision, "other"), std::vector{made.id});
  const std::vector<VectorOf> others{{made.id, {7}}};
  this->store_->keep_vectors("default", "other", others);
  revision = 0;
  EXPECT_EQ(this->changed_since(revision), std::vector{made.id});
}

TYPED_TEST(Store, AddsAllOrNone) {
  const std::vector<StoredLesson> batch{lesson("Good.", 1), lesson("", 2)};
  EXPECT_THROW(this->store_->add(batch), Error);
  EXPECT_EQ(this->store_->count({}), 0);
}

TYPED_TEST(Store, TakesLessonsFromManyThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 25; ++i) {
        const int number = thread * 25 + i;
        this->add(lesson("Lesson " + std::to_string(number), number));
        this->add(lesson("Common", 1000 + number));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(this->store_->count({}), 101);
}

TYPED_TEST(Store, FindsALessonByHowItsIdBegins) {
  const StoredLesson made = lesson("One.", 1);
  this->add(made);
  EXPECT_EQ(find_lesson(*this->store_, {}, made.id.substr(0, 5)), made);
  EXPECT_THROW(find_lesson(*this->store_, {}, "zz"), Error);
  EXPECT_THROW(find_lesson(*this->store_, {}, ""), Error);
}

TYPED_TEST(Store, IsThereAgainWhenItIsOpenedAgain) {
  if (!TypeParam::kLasts) GTEST_SKIP() << "this store is gone with its object";
  const StoredLesson made = lesson("One.");
  this->add(made);
  this->store_.reset();
  this->store_ = this->kept_.open();
  EXPECT_EQ(this->get(made.id), made);
}

TYPED_TEST(Store, IsSharedByTwoThatHaveItOpen) {
  if (!TypeParam::kLasts) GTEST_SKIP() << "this store is gone with its object";
  const auto other = this->kept_.open();
  Revision revision = 0;
  this->changed_since(revision);
  const std::vector<StoredLesson> theirs{lesson("Theirs.", 1)};
  other->add(theirs);
  EXPECT_EQ(this->changed_since(revision), std::vector{theirs.front().id});
  EXPECT_EQ(this->add(lesson("theirs", 2)).outcome, Added::Merged);
}

}  // namespace
}  // namespace hone::memory
