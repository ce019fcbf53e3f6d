#include "hone/memory/reflection_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hone/base/error.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

StoredLesson failed_lesson() {
  StoredLesson made = lesson("Always validate the API response status before parsing the body.");
  made.owner.agent = "researcher-agent";
  made.ending = Ending::Failed;
  made.task = "Fetch the prices";
  made.reflection = {.text = {},
                     .what_happened = "The page was fetched.",
                     .what_went_wrong = "The body was an error page.",
                     .why = "The status was not looked at.",
                     .do_differently = "Look at the status first.",
                     .rule = made.text,
                     .principle = {},
                     .procedure = {}};
  return made;
}

std::string visible(const StoredLesson& made) {
  const std::string text = render_reflection(made);
  return text.substr(0, text.find("\n<!--"));
}

TEST(ReflectionFile, AFailureHasFiveFields) {
  EXPECT_EQ(visible(failed_lesson()),
            "# Reflection: 2025-11-22 - researcher-agent - Fetch the prices\n"
            "\n## What happened?\n\nThe page was fetched.\n"
            "\n## What went wrong?\n\nThe body was an error page.\n"
            "\n## Why did it go wrong?\n\nThe status was not looked at.\n"
            "\n## What should I do differently?\n\nLook at the status first.\n"
            "\n## Tactical rule candidate\n\nAlways validate the API response status before "
            "parsing the body.\n");
}

TEST(ReflectionFile, OtherEndingsHaveTheirForms) {
  StoredLesson made = failed_lesson();
  const auto headings = [&] {
    std::string all;
    const std::string text = visible(made);
    for (std::size_t at = 0; (at = text.find("\n## ", at)) != text.npos; ++at)
      all += text.substr(at + 4, text.find('\n', at + 1) - at - 4) + "|";
    return text.substr(0, text.find(':')) + "|" + all;
  };
  made.ending = Ending::Partial;
  EXPECT_EQ(headings(),
            "# Reflection|What happened?|What went wrong?|What should I do differently?|");
  made.ending = Ending::Succeeded;
  EXPECT_EQ(headings(), "# Procedure|Strategy|Why it worked|");
  made.ending = Ending::Decided;
  EXPECT_EQ(headings(),
            "# Reflection|What was the decision?|What alternatives existed?|Why was this option "
            "chosen?|");
  made.ending = Ending::Noted;
  EXPECT_EQ(headings(), "# Reflection|Tactical rule candidate|");
  made.kind = Kind::Rule;
  EXPECT_NE(visible(made).find("I should follow this rule: Always validate"), std::string::npos);
  made.kind = Kind::Playbook;
  EXPECT_NE(visible(made).find("These steps worked: Always validate"), std::string::npos);
}

TEST(ReflectionFile, IsReadBackWhole) {
  StoredLesson made = failed_lesson();
  made.conditions = "a -- b --> c";
  made.tool = "curl";
  made.provenance.evidence = "日本 --";
  made.forgotten = true;
  for (const Ending ending : {Ending::Failed, Ending::Partial, Ending::Succeeded, Ending::Noted}) {
    made.ending = ending;
    EXPECT_EQ(read_reflection(render_reflection(made), made.owner, "x.md"), made);
  }
}

TEST(ReflectionFile, WhatAPersonEditsCounts) {
  const StoredLesson made = failed_lesson();
  std::string text = render_reflection(made);
  text.replace(text.rfind("Always validate the API", text.find("<!--")), 23, "Never trust the API");
  const StoredLesson read = read_reflection(text, made.owner, "x.md");
  EXPECT_EQ(read.id, made.id);
  EXPECT_EQ(read.text, "Never trust the API response status before parsing the body.");
  EXPECT_EQ(read.reflection.why, "The status was not looked at.");
}

TEST(ReflectionFile, APersonsFileIsRead) {
  const Owner owner{.agent = "me"};
  const StoredLesson read = read_reflection(
      "# Reflection: 2026-03-01 - me - Scrape the shop\n## What happened?\nIt broke.\n"
      "## Tactical rule candidate\nWait between requests.\n",
      owner, "a/b.md");
  EXPECT_EQ(read.text, "Wait between requests.");
  EXPECT_EQ(read.task, "Scrape the shop");
  EXPECT_EQ(read.owner, owner);
  EXPECT_TRUE(is_lesson_id(read.id));
  EXPECT_EQ(read_reflection("Just a note.\n", owner, "a/b.md").text, "Just a note.");
}

TEST(ReflectionFile, NothingAndBytesAreRefused) {
  for (const std::string text : {"", "\n \n", "# Reflection: a - b - c\n", "\xff\xfe"}) {
    EXPECT_THROW(read_reflection(text, {}, "x.md"), Error) << text;
  }
}

TEST(ReflectionFile, NamesAreADateAndAtMostFiveWords) {
  StoredLesson made = lesson("API timeout handling: wait, then retry again!");
  EXPECT_EQ(reflection_file_name(made), "2025-11-22-api-timeout-handling-wait-then");
  made.text = "../../etc/passwd";
  EXPECT_EQ(reflection_file_name(made), "2025-11-22-etc-passwd");
  made.text = "日本語";
  EXPECT_EQ(reflection_file_name(made), "2025-11-22-reflection");
  EXPECT_TRUE(day_of_file_name("2026-03-01-x.md").has_value());
  for (const std::string name : {"2026-13-45-x.md", "x.md", "", "20260301xx-y.md"})
    EXPECT_FALSE(day_of_file_name(name).has_value()) << name;
}

RC_GTEST_PROP(ReflectionFile, AnyTextIsReadOrRefused, (const std::string& text)) {
  try {
    RC_ASSERT(!read_reflection(text, {}, "x.md").text.empty());
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::InvalidInput);
  }
}

TEST(ReflectionFile, APersonsHeadingsSayWhatItIs) {
  struct Case {
    std::string text;
    Kind kind;
    Ending ending;
    std::string advice;
  };
  const Case cases[] = {
      {"# Procedure: 2026-03-01 - me - x\n## Strategy\nThese steps worked: 1. a\n## Why it "
       "worked\nb\n",
       Kind::Playbook, Ending::Succeeded, "1. a"},
      {"## What was the decision?\nUse SQLite.\n## What alternatives existed?\nfiles\n## Why was "
       "this option chosen?\nb\n",
       Kind::Decision, Ending::Decided, "Use SQLite."},
      {"## Principle\nI should follow this rule: Be exact.\n", Kind::Rule, Ending::Noted,
       "Be exact."},
      {"## What happened?\na\n## What went wrong?\nb\n## What should I do differently?\nDo c.\n",
       Kind::Lesson, Ending::Partial, "Do c."},
      {"## What happened?\na\n## What went wrong?\nb\n## Tactical rule candidate\nDo c.\n",
       Kind::Lesson, Ending::Failed, "Do c."},
      {"Do c.\n", Kind::Lesson, Ending::Noted, "Do c."}};
  for (const Case& each : cases) {
    const StoredLesson read = read_reflection(each.text, {}, "x.md");
    EXPECT_EQ(read.kind, each.kind) << each.text;
    EXPECT_EQ(read.ending, each.ending) << each.text;
    EXPECT_EQ(read.text, each.advice) << each.text;
  }
  EXPECT_EQ(read_reflection(cases[1].text, {}, "x.md").reflection.what_happened, "files");
}

TEST(ReflectionFile, AnEditLosesNothingThatTheFormDoesNotShow) {
  StoredLesson made = failed_lesson();
  made.ending = Ending::Partial;
  std::string text = render_reflection(made);
  text.replace(text.find("Look at the status"), 18, "Look at the header");
  const StoredLesson read = read_reflection(text, made.owner, "x.md");
  EXPECT_EQ(read.reflection.do_differently, "Look at the header first.");
  EXPECT_EQ(read.reflection.why, "The status was not looked at.");
  EXPECT_EQ(read.reflection.rule, made.text);
}

}  // namespace
}  // namespace hone::memory
