// The Reflexion protocol, rule by rule, on files as a user finds them (docs/explain/lessons.md
// lists which test stands for which rule).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "hone/core/testing.h"
#include "hone/memory/files_store.h"
#include "hone/memory/lessons.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/reflection_file.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const Owner kResearcher{.agent = "researcher-agent"};

class ProtocolTest : public testing::Test {
 protected:
  void open() {
    store_.reset();
    store_ = open_lesson_files({.folder = folder_.path()});
  }
  Names files(const std::string& below = "reflections/researcher-agent") {
    Names found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_.path() / below, none)) {
      if (entry.is_regular_file()) found.push_back(entry.path().filename());
    }
    std::ranges::sort(found);
    return found;
  }
  std::string text_of(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_.path() / "reflections/researcher-agent" / name).rdbuf();
    return text.str().substr(0, text.str().find("\n<!--"));
  }
  // What is left by an attempt that ended so.
  void leave(core::Evaluation evaluation, core::Reflection said, int on_day = 0,
             const std::string& id = "run1") {
    core::Run run{.id = id};
    run.task.prompt = "Fetch the prices";
    run.attempts.push_back({.number = 1, .evaluation = std::move(evaluation)});
    run.attempts.back().reflection = std::move(said);
    run.attempts.back().finished = day(on_day);
    store_->add(lessons_of(run, kResearcher));
  }
  Recalled recall(Question question) {
    question.scope.agent = kResearcher.agent;
    question.order = Order::Protocol;
    return Recall(*store_, embedder_).recall(question);
  }
  Names shown(const Question& question) {
    Names texts;
    for (const Hit& hit : recall(question).hits) texts.push_back(hit.lesson.text);
    return texts;
  }
  void add(std::string text, int number, std::string type, std::string tool = "") {
    StoredLesson made = lesson(std::move(text), number, kResearcher);
    made.task_type = std::move(type);
    made.tool = std::move(tool);
    store_->add(std::span(&made, 1));
  }

  TestFolder folder_;
  LexicalEmbedder embedder_;
  std::unique_ptr<LessonStore> store_;
};

core::Reflection said() {
  return {.text = "It failed.",
          .what_happened = "The page was fetched.",
          .what_went_wrong = "The body was an error page.",
          .why = "The status was not looked at.",
          .do_differently = "Look at the status first.",
          .rule = "Always validate API response status."};
}

TEST_F(ProtocolTest, AFailedTaskLeavesFiveFieldsBelowItsTitle) {
  open();
  leave(core::failed(Score(0.1), {}), said());
  ASSERT_EQ(files(), Names{"2025-11-22-always-validate-api-response-status.md"});
  EXPECT_EQ(text_of(files().front()),
            "# Reflection: 2025-11-22 - researcher-agent - Fetch the prices\n"
            "\n## What happened?\n\nThe page was fetched.\n"
            "\n## What went wrong?\n\nThe body was an error page.\n"
            "\n## Why did it go wrong?\n\nThe status was not looked at.\n"
            "\n## What should I do differently?\n\nLook at the status first.\n"
            "\n## Tactical rule candidate\n\nAlways validate API response status.\n");
}

TEST_F(ProtocolTest, APartialTaskLeavesThree) {
  open();
  leave(core::failed(Score(0.6), {}), said());
  EXPECT_EQ(text_of(files().front()),
            "# Reflection: 2025-11-22 - researcher-agent - Fetch the prices\n"
            "\n## What happened?\n\nThe page was fetched.\n"
            "\n## What went wrong?\n\nThe body was an error page.\n"
            "\n## What should I do differently?\n\nLook at the status first.\n");
}

TEST_F(ProtocolTest, ASuccessLeavesAProcedureOfTwo) {
  open();
  leave(core::passed(), {.why = "The feed is complete.", .procedure = "1. Read. 2. Count."});
  EXPECT_EQ(text_of(files().front()),
            "# Procedure: 2025-11-22 - researcher-agent - Fetch the prices\n"
            "\n## Strategy\n\nThese steps worked: 1. Read. 2. Count.\n"
            "\n## Why it worked\n\nThe feed is complete.\n");
}

TEST_F(ProtocolTest, ADecisionLeavesThree) {
  open();
  store_->add(lessons_of({.said = {.what_happened = "PostgreSQL, files",
                                   .why = "It needs no server.",
                                   .rule = "Keep runs in SQLite."},
                          .task = {.prompt = "Choose a store"},
                          .at = day(0)},
                         kResearcher));
  EXPECT_EQ(text_of(files().front()),
            "# Reflection: 2025-11-22 - researcher-agent - Choose a store\n"
            "\n## What was the decision?\n\nKeep runs in SQLite.\n"
            "\n## What alternatives existed?\n\nPostgreSQL, files\n"
            "\n## Why was this option chosen?\n\nIt needs no server.\n");
}

TEST_F(ProtocolTest, ASystemicFailureLeavesAPrincipleAndAProcedureBesides) {
  open();
  core::Reflection systemic = said();
  systemic.principle = "Check every reply of others.";
  systemic.procedure = "1. Look at the status. 2. Parse.";
  leave(core::failed(Score(0.1), {}), systemic);
  ASSERT_EQ(files().size(), 3U);
  EXPECT_NE(text_of("2025-11-22-check-every-reply-of-others.md")
                .find("I should follow this rule: Check every reply of others."),
            std::string::npos);
  EXPECT_NE(text_of("2025-11-22-1-look-at-the-status.md")
                .find("These steps worked: 1. Look at the status. 2. Parse."),
            std::string::npos);
  EXPECT_EQ(text_of("2025-11-22-1-look-at-the-status.md").find("was not looked at"),
            std::string::npos)
      << "why it failed is not why it worked";
}

TEST_F(ProtocolTest, NamesAreADateAndFiveLowerCaseWordsWithHyphens) {
  struct Case {
    std::string text;
    std::string name;
  };
  const Case cases[] = {
      {"API Timeout Handling", "2026-03-01-api-timeout-handling.md"},
      {"One two three four five six seven.", "2026-03-01-one-two-three-four-five.md"},
      {"Don't -- ever -- GUESS!", "2026-03-01-don-t-ever-guess.md"},
      {"../../etc/passwd", "2026-03-01-etc-passwd.md"}};
  for (const Case& each : cases) {
    StoredLesson made = lesson(each.text);
    made.created = parse_iso8601("2026-03-01T10:00:00Z");
    EXPECT_EQ(reflection_file_name(made) + ".md", each.name);
  }
}

TEST_F(ProtocolTest, EqualNamesAreNumberedFromTwo) {
  open();
  for (int i = 0; i < 3; ++i) {
    core::Reflection one = said();
    one.rule = "Always validate the API reply " + std::string(i + 1, 'x');
    leave(core::failed(Score(0.1), {}), one, 0, "run" + std::to_string(i));
  }
  EXPECT_EQ(files(), (Names{"2025-11-22-always-validate-the-api-reply-2.md",
                            "2025-11-22-always-validate-the-api-reply-3.md",
                            "2025-11-22-always-validate-the-api-reply.md"}));
}

TEST_F(ProtocolTest, ThirtyStayAndOlderOnesAreArchivedByYearAndNoneIsDeleted) {
  open();
  for (int i = 0; i < 45; ++i) add("Advice number " + std::to_string(i * 7919), i * 3, "code");
  EXPECT_EQ(files().size(), 30U);
  const Names old = files("reflections/researcher-agent/archive/2025");
  const Names older = files("reflections/researcher-agent/archive/2026");
  EXPECT_EQ(old.size() + older.size(), 15U);
  EXPECT_TRUE(std::ranges::all_of(old, [](const auto& name) { return name.starts_with("2025-"); }));
}

TEST_F(ProtocolTest, ThreeRelevantOnesAreShown) {
  open();
  for (int i = 0; i < 5; ++i)
    add("Crawl the shop slowly, hint " + std::to_string(i * 7919), i, "crawl");
  const Question question{.text = "Crawl the shop", .task_type = "crawl"};
  EXPECT_EQ(recall(question).hits.size(), 3U);
  EXPECT_EQ(recall(question).beyond, 2U);
}

TEST_F(ProtocolTest, SameTypeComesBeforeSameToolBeforeTheNewest) {
  open();
  add("Crawl the shop pages by curl slowly.", 1, "other", "curl");
  add("Crawl the shop pages with pauses.", 2, "crawl");
  add("Crawl the shop pages after midnight.", 3, "other");
  add("Crawl the shop pages before midday.", 4, "other");
  const Question question{
      .text = "Crawl the shop pages with curl", .task_type = "crawl", .most = 4, .least = 0};
  const Names order = shown(question);
  ASSERT_EQ(order.size(), 4U);
  EXPECT_EQ(order[0], "Crawl the shop pages with pauses.");
  EXPECT_EQ(order[1], "Crawl the shop pages by curl slowly.");
  EXPECT_EQ(order[2], "Crawl the shop pages before midday.");
}

TEST_F(ProtocolTest, SecretsPeopleAndMachinesAreNotNamed) {
  open();
  core::Reflection leaky = said();
  leaky.what_happened = "Called https://jenkins.internal.corp/job with jane@example.com";
  leaky.why = "Authentication failed for token ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  Recall recall(*store_, embedder_);
  core::Run run{.id = "run1"};
  run.attempts.push_back({.number = 1, .evaluation = core::failed(Score(0.1), {})});
  run.attempts.back().reflection = leaky;
  Learning(*store_, recall).learn(lessons_of(run, kResearcher));
  const std::string text = text_of(files().front());
  for (const std::string secret : {"ghp_", "jane@", "jenkins.internal"})
    EXPECT_EQ(text.find(secret), std::string::npos) << text;
  EXPECT_NE(text.find("a credential"), std::string::npos) << text;
}

TEST_F(ProtocolTest, AnyAgentsLessonsAreFoundWhenAllAreAsked) {
  open();
  StoredLesson other = lesson("Crawl the shop slowly.", 1, {.agent = "writer-agent"});
  store_->add(std::span(&other, 1));
  Question question{.text = "Crawl the shop"};
  EXPECT_TRUE(recall(question).hits.empty());
  question.scope.agent.reset();
  EXPECT_EQ(Recall(*store_, embedder_).recall(question).hits.size(), 1U);
}

}  // namespace
}  // namespace hone::memory
