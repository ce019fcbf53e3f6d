#include "hone/memory/lessons.h"

#include <gtest/gtest.h>

#include <future>

#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/core/testing.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

const core::Task kTask{.name = "memo",
                       .prompt = "Summarise the memo as JSON with title and summary.",
                       .system = {},
                       .type = "writing"};

// A run whose attempts fail for the given reasons; the last one passes if it has none.
core::Run run_of(const std::string& id, const std::vector<std::string>& rules, bool passes) {
  core::Run run{.id = id, .task = kTask};
  for (const std::string& rule : rules) {
    core::Attempt attempt{.number = run.next_number()};
    attempt.output.text = "output " + std::to_string(attempt.number);
    attempt.evaluation = core::failed(Score(0.2), {core::Issue{.message = "/summary is required"}});
    attempt.reflection = core::Reflection{.text = "It failed.", .rule = rule};
    attempt.finished = day(1);
    run.attempts.push_back(attempt);
  }
  if (passes) {
    core::Attempt last{.number = run.next_number()};
    last.evaluation = core::passed();
    run.attempts.push_back(last);
  }
  run.selected = static_cast<int>(run.attempts.size());
  return run;
}

class LessonsTest : public testing::Test {
 protected:
  std::vector<core::Lesson> recall(Lessons& lessons, const core::Task& task) {
    std::vector<core::Lesson> shown;
    run_sync([&] { return recall_into(shown, lessons, task); });
    return shown;
  }
  std::vector<core::Lesson> learn(Lessons& lessons, const core::Run& run) {
    std::vector<core::Lesson> learned;
    run_sync([&] { return learn_into(learned, lessons, run); });
    return learned;
  }

  static async<void> preview_into(std::vector<core::Lesson>& shown, Lessons& lessons) {
    shown = co_await lessons.preview(kTask);
  }

  core::TestScene scene_;
  std::shared_ptr<LessonStore> store_ = make_lesson_store();
  std::shared_ptr<core::Embedder> embedder_ = std::make_shared<LexicalEmbedder>();
  std::vector<std::string> told_;

  LessonsOptions options() {
    return {.tell = [this](const std::string& text) { told_.push_back(text); }};
  }

 private:
  async<void> recall_into(std::vector<core::Lesson>& shown, Lessons& lessons,
                          const core::Task& task) {
    shown = co_await lessons.recall(scene_.context(), task);
  }
  async<void> learn_into(std::vector<core::Lesson>& learned, Lessons& lessons,
                         const core::Run& run) {
    learned = co_await lessons.learn(scene_.context(), run);
  }
};

TEST_F(LessonsTest, WhatOneRunLearnedTheNextOneOfTheTaskRecalls) {
  Lessons lessons(store_, embedder_, options());
  const auto learned = learn(lessons, run_of("r1", {"Give every required field a value."}, true));
  ASSERT_EQ(learned.size(), 1U);
  EXPECT_EQ(learned.front().text, "Give every required field a value.");
  EXPECT_EQ(recall(lessons, kTask), learned);
  const StoredLesson stored = store_->list({}).front();
  EXPECT_EQ(stored.provenance, (Provenance{"r1", 1, "/summary is required"}));
  EXPECT_EQ(stored.task_type, "writing");
  EXPECT_EQ(stored.ending, Ending::Failed);
}

TEST_F(LessonsTest, TheLastFailedAttemptTeachesToo) {
  Lessons lessons(store_, embedder_, options());
  EXPECT_EQ(learn(lessons, run_of("r1", {"Give a title.", "Count the words."}, false)).size(), 2U);
}

TEST_F(LessonsTest, LearningAgainAfterAResumeGivesTheSameAndStoresNothing) {
  Lessons lessons(store_, embedder_, options());
  const core::Run run = run_of("r1", {"Give every required field a value."}, true);
  const auto first = learn(lessons, run);
  EXPECT_EQ(learn(lessons, run), first);
  EXPECT_EQ(store_->count({}), 1);
  EXPECT_EQ(store_->list({}).front().merged, 0);
}

TEST_F(LessonsTest, FiveHundredRunsOfTwentyTasksLeaveNoNearDuplicates) {
  Lessons lessons(store_, embedder_, options());
  const std::string subjects[] = {"title",   "summary", "date",     "author",   "price",
                                  "colour",  "weight",  "height",   "currency", "street",
                                  "country", "phone",   "language", "format",   "version",
                                  "licence", "owner",   "status",   "priority", "deadline"};
  for (int number = 0; number < 500; ++number) {
    const std::string& subject = subjects[number % 20];
    const std::string forms[] = {"Check the " + subject + " field before answering.",
                                 "check " + subject + " fields before you answer",
                                 "Before answering, check the field " + subject + "."};
    learn(lessons, run_of("r" + std::to_string(number), {forms[number % 3]}, true));
  }
  EXPECT_EQ(store_->count({}), 20);
  for (const StoredLesson& lesson : store_->list({})) EXPECT_EQ(lesson.merged, 24) << lesson.text;
}

TEST_F(LessonsTest, WhatWasRecalledIsNeverLearnedAsNew) {
  Lessons lessons(store_, embedder_, options());
  learn(lessons, run_of("r1", {"Give every required field a value."}, true));
  core::Run echo = run_of("r2", {"Give each required field a value, every one."}, true);
  echo.recalled = recall(lessons, kTask);
  ASSERT_FALSE(echo.recalled.empty());
  EXPECT_TRUE(learn(lessons, echo).empty());
  EXPECT_EQ(store_->count({}), 1);
  EXPECT_EQ(store_->list({}).front().merged, 0);
}

TEST_F(LessonsTest, CountsRecallsAndWhatFollowed) {
  Lessons lessons(store_, embedder_, options());
  learn(lessons, run_of("r1", {"Give every required field a value."}, true));
  core::Run second = run_of("testrun", {}, true);
  second.recalled = recall(lessons, kTask);
  EXPECT_EQ(store_->list({}).front().trials, (Trials{.recalled = 1}));
  learn(lessons, second);
  EXPECT_EQ(store_->list({}).front().trials, (Trials{.recalled = 1, .passed = 1}));
}

TEST_F(LessonsTest, ContradictoryLessonsStayApartAndPointAtEachOther) {
  Lessons lessons(store_, embedder_, options());
  learn(lessons, run_of("r1", {"Use tabs for indentation of the summary."}, true));
  learn(lessons, run_of("r2", {"Never use tabs for indentation of the summary."}, true));
  const auto all = store_->list({});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].contradicts, std::vector{all[1].id});
  EXPECT_EQ(all[1].contradicts, std::vector{all[0].id});
}

TEST_F(LessonsTest, PrinciplesBecomeRulesAndProceduresPlaybooks) {
  Lessons lessons(store_, embedder_, options());
  core::Run run = run_of("r1", {"Give a title."}, false);
  run.attempts.front().reflection->principle = "Read the schema before writing JSON.";
  run.attempts.front().reflection->procedure = "1. Read the schema. 2. Fill it. 3. Validate.";
  learn(lessons, run);
  std::map<Kind, int> kinds;
  for (const StoredLesson& lesson : store_->list({})) ++kinds[lesson.kind];
  EXPECT_EQ(kinds, (std::map<Kind, int>{{Kind::Lesson, 1}, {Kind::Rule, 1}, {Kind::Playbook, 1}}));
}

TEST_F(LessonsTest, SecretsAreNotKept) {
  Lessons lessons(store_, embedder_, options());
  core::Run run = run_of("r1", {"Ask bob@example.com about password: hunter2!"}, true);
  run.attempts.front().evaluation.issues.front().message = "10.1.2.3 refused bob@example.com";
  learn(lessons, run);
  const StoredLesson stored = store_->list({}).front();
  EXPECT_EQ(stored.text, "Ask an e-mail address about password: a credential");
  EXPECT_EQ(stored.provenance.evidence, "an internal address refused an e-mail address");
  EXPECT_EQ(stored.reflection.rule, stored.text);
}

TEST_F(LessonsTest, AMegabyteOfReflectionIsCut) {
  Lessons lessons(store_, embedder_, options());
  EXPECT_EQ(learn(lessons, run_of("r1", {std::string(1 << 20, 'x')}, true)).size(), 1U);
  EXPECT_LE(store_->list({}).front().text.size(), kLongestText);
  EXPECT_TRUE(told_.empty());
}

TEST_F(LessonsTest, EmptyReflectionsTeachNothing) {
  Lessons lessons(store_, embedder_, options());
  core::Run run = run_of("r1", {" "}, true);
  run.attempts.front().reflection = core::Reflection();
  EXPECT_TRUE(learn(lessons, run).empty());
  EXPECT_EQ(store_->count({}), 0);
}

TEST_F(LessonsTest, MayBeToldNotToLearnOrNotToRecall) {
  LessonsOptions quiet = options();
  quiet.learn = false;
  Lessons lessons(store_, embedder_, quiet);
  EXPECT_TRUE(learn(lessons, run_of("r1", {"Give a title."}, true)).empty());
  LessonsOptions blind = options();
  blind.recall = 0;
  Lessons writer(store_, embedder_, blind);
  EXPECT_EQ(learn(writer, run_of("r1", {"Give a title."}, true)).size(), 1U);
  EXPECT_TRUE(recall(writer, kTask).empty());
}

class BrokenStore final : public LessonStore {
 public:
  [[noreturn]] static void fail() { throw Error(ErrorKind::Unavailable, "the disk is full", ""); }
  std::vector<Addition> add(std::span<const StoredLesson>) override { fail(); }
  bool merge(const std::string&, const Merge&) override { fail(); }
  void replace(const StoredLesson&) override { fail(); }
  void erase(const std::string&, std::span<const std::string>) override { fail(); }
  std::optional<StoredLesson> find(const std::string&, const std::string&) override { fail(); }
  std::vector<StoredLesson> list(const Scope&) override { fail(); }
  std::int64_t count(const Scope&) override { fail(); }
  void record(const std::string&, std::span<const Trial>) override { fail(); }
  std::vector<Trial> trials(const std::string&, const std::string&) override { fail(); }
  Revision changes(const std::string&, Revision, const std::string&,
                   const std::function<void(const ChangedLesson&)>&) override {
    fail();
  }
  void keep_vectors(const std::string&, const std::string&, std::span<const VectorOf>) override {
    fail();
  }
};

TEST_F(LessonsTest, ABrokenStoreCostsTheLessonsAndNotTheRun) {
  Lessons lessons(std::make_shared<BrokenStore>(), embedder_, options());
  core::FunctionGenerator generator([](const core::Run&) { return core::Output{.text = "x"}; });
  core::FunctionEvaluator evaluator([](const core::Run& run, const core::Output&) {
    return run.attempts.empty() ? core::failed(Score(0), {}) : core::passed();
  });
  core::FunctionReflector reflector(
      [](const core::Run&) { return core::Reflection{.rule = "Do better."}; });
  core::FunctionReviser reviser([](const core::Run&) { return core::Output{.text = "y"}; });
  const core::Run run = scene_.run(kTask, {generator, evaluator, reflector, reviser, lessons}, {});
  EXPECT_TRUE(run.accepted());
  EXPECT_EQ(told_, (std::vector<std::string>{"lessons could not be recalled: the disk is full",
                                             "not all lessons were learned: the disk is full"}));
}

// A store that answers when it is told to.
class HeldStore final : public LessonStore {
 public:
  HeldStore(std::shared_ptr<LessonStore> store, std::promise<void>& gone)
      : store_(std::move(store)), gone_(gone) {}
  ~HeldStore() override { gone_.set_value(); }
  void let_go() { free_.set_value(); }

  std::vector<Addition> add(std::span<const StoredLesson> lessons) override {
    return store_->add(lessons);
  }
  bool merge(const std::string& tenant, const Merge& merge) override {
    return store_->merge(tenant, merge);
  }
  void replace(const StoredLesson& lesson) override { store_->replace(lesson); }
  void erase(const std::string& tenant, std::span<const std::string> ids) override {
    store_->erase(tenant, ids);
  }
  std::optional<StoredLesson> find(const std::string& tenant, const std::string& id) override {
    return store_->find(tenant, id);
  }
  std::vector<StoredLesson> list(const Scope& scope) override { return store_->list(scope); }
  std::int64_t count(const Scope& scope) override { return store_->count(scope); }
  void record(const std::string& tenant, std::span<const Trial> trials) override {
    store_->record(tenant, trials);
  }
  std::vector<Trial> trials(const std::string& tenant, const std::string& lesson) override {
    return store_->trials(tenant, lesson);
  }
  Revision changes(const std::string& tenant, Revision after, const std::string& model,
                   const std::function<void(const ChangedLesson&)>& visit) override {
    released_.wait();
    return store_->changes(tenant, after, model, visit);
  }
  void keep_vectors(const std::string& tenant, const std::string& model,
                    std::span<const VectorOf> vectors) override {
    store_->keep_vectors(tenant, model, vectors);
  }

 private:
  std::shared_ptr<LessonStore> store_;
  std::promise<void> free_;
  std::shared_future<void> released_ = free_.get_future().share();
  std::promise<void>& gone_;
};

TEST_F(LessonsTest, AStoreThatDoesNotAnswerDoesNotHoldARunUp) {
  const StoredLesson known = lesson("Give every required field of the JSON summary a value.");
  store_->add(std::span(&known, 1));
  std::promise<void> gone;
  auto held = std::make_shared<HeldStore>(store_, gone);
  LessonsOptions hurried = options();
  hurried.recall_time = hurried.learn_time = std::chrono::milliseconds(5);
  {
    Lessons lessons(held, embedder_, hurried);
    EXPECT_TRUE(recall(lessons, kTask).empty());
    EXPECT_TRUE(learn(lessons, run_of("r1", {"Count the words of the title."}, true)).empty());
  }
  EXPECT_EQ(told_,
            (std::vector<std::string>{
                "lessons could not be recalled: the lesson store did not answer within 0.005 s",
                "not all lessons were learned: the lesson store did not answer within 0.005 s"}));
  // What was left behind ends by itself, after the object, and has tried and learned nothing.
  held->let_go();
  held.reset();
  gone.get_future().wait();
  EXPECT_EQ(store_->find("default", known.id)->trials.recalled, 0);
}

TEST_F(LessonsTest, WhatWasHiddenIsTold) {
  Lessons lessons(store_, embedder_, options());
  for (int number = 0; number < 5; ++number) {
    const std::string fields[] = {"title", "sender", "author", "urgency", "date"};
    learn(lessons, run_of("r" + std::to_string(number),
                          {"Check the JSON " + fields[number] + " of a memo."}, true));
  }
  EXPECT_EQ(recall(lessons, kTask).size(), 3U);
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_.front(), "3 shown, 2 more would fit");
}

TEST_F(LessonsTest, TheNumberOfLessonsIsBounded) {
  Recall recalling(*store_, *embedder_);
  Learning learning(*store_, recalling, 3);
  const std::string words[] = {"alpha", "beta", "gamma", "delta", "epsilon"};
  for (int number = 0; number < 5; ++number)
    learning.learn({lesson("Mind the " + words[number] + " of the thing.", number)});
  const auto left = store_->list({});
  ASSERT_EQ(left.size(), 3U);
  EXPECT_EQ(left.front().text, "Mind the gamma of the thing.");
}

TEST_F(LessonsTest, TheProtocolsWordsBeforePrincipleAndProcedureAreNoPartOfThem) {
  core::Run run = run_of("r1", {"Check the feed."}, false);
  run.attempts[0].reflection->principle = "I should follow this rule: Count rows.";
  run.attempts[0].reflection->procedure = "These steps worked: 1. Read. 2. Count.";
  const auto lessons = lessons_of(run, {});
  ASSERT_EQ(lessons.size(), 3U);
  EXPECT_EQ(lessons[1].text, "Count rows.");
  EXPECT_EQ(lessons[2].text, "1. Read. 2. Count.");
}

TEST_F(LessonsTest, ADecisionLeavesItsReasonsARuleAndAPlaybook) {
  Decision decision{.said = {.what_happened = "PostgreSQL, files",
                             .why = "It needs no server.",
                             .rule = "Keep runs in SQLite.",
                             .principle = "Prefer what needs no server.",
                             .procedure = "1. Count users. 2. Choose."},
                    .task = kTask,
                    .tool = "sqlite",
                    .at = day(1)};
  const auto lessons = lessons_of(decision, {.agent = "me"});
  ASSERT_EQ(lessons.size(), 3U);
  EXPECT_EQ(lessons[0].kind, Kind::Decision);
  EXPECT_EQ(lessons[0].text, "Keep runs in SQLite.");
  EXPECT_EQ(lessons[0].ending, Ending::Decided);
  EXPECT_EQ(lessons[0].reflection.what_happened, "PostgreSQL, files");
  EXPECT_EQ(lessons[0].owner.agent, "me");
  EXPECT_EQ(lessons[1].kind, Kind::Rule);
  EXPECT_EQ(lessons[2].kind, Kind::Playbook);
  for (const StoredLesson& lesson : lessons) check(lesson);
  decision.said.principle.clear();
  decision.said.procedure.clear();
  EXPECT_EQ(lessons_of(decision, {}).size(), 1U);
}

TEST_F(LessonsTest, APreviewCountsNothing) {
  Lessons lessons(store_, embedder_, options());
  learn(lessons, run_of("r1", {"Give every required field a value."}, true));
  std::vector<core::Lesson> shown;
  run_sync([&] { return preview_into(shown, lessons); });
  EXPECT_EQ(shown.size(), 1U);
  EXPECT_EQ(store_->list({}).front().trials, Trials());
}

TEST_F(LessonsTest, ABlockShowsEveryLessonOfItsTaskUpToItsSize) {
  LessonsOptions block = options();
  block.block = true;
  block.recall = 1;
  Lessons lessons(store_, embedder_, block);
  for (int i = 0; i < 20; ++i) {
    const std::string rule = "Lesson number " + std::to_string(i) + " " + std::string(500, 'a' + i);
    core::Run run = run_of("r" + std::to_string(i), {rule}, false);
    run.attempts[0].finished = day(i);
    learn(lessons, run);
  }
  const auto shown = recall(lessons, kTask);
  EXPECT_EQ(shown.size(), 11U);
  EXPECT_TRUE(shown.back().text.starts_with("Lesson number 19")) << "the newest last";
  EXPECT_TRUE(shown.front().text.starts_with("Lesson number 9")) << "the oldest were left out";
  EXPECT_EQ(told_.back(), "11 shown, 9 more would fit");
  core::Task other = kTask;
  other.prompt = "Summarise the memo as JSON with title and summary, please.";
  EXPECT_TRUE(recall(lessons, other).empty());
}

}  // namespace
}  // namespace hone::memory
