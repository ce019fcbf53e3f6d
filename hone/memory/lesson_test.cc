#include "hone/memory/lesson.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

StoredLesson full_lesson() {
  StoredLesson made = lesson("Check the status before the body.");
  made.kind = Kind::Rule;
  made.ending = Ending::Failed;
  made.task_type = "code";
  made.tool = "curl";
  made.conditions = "When a service may answer with an error page.";
  made.task = "Fetch the prices";
  made.reflection = {"t", "a", "b", "c", "d", "e", "f", "g"};
  made.provenance.evidence = "JSON parse error at '<html>'.";
  made.merged = 2;
  made.trials = {.recalled = 5, .passed = 3, .failed = 1, .unknown = 1};
  made.contradicts = {"0123456789abcdef"};
  made.probation = true;
  made.forgotten = true;
  return made;
}

TEST(Lesson, ComesBackFromItsJsonForm) {
  EXPECT_EQ(lesson_from_json(to_json(full_lesson())), full_lesson());
  EXPECT_EQ(lesson_from_json(to_json(StoredLesson())), StoredLesson());
}

TEST(Lesson, IsReadFromItsTextAlone) {
  const StoredLesson read = lesson_from_json(Json{{"text", "Measure twice."}});
  EXPECT_EQ(read.text, "Measure twice.");
  EXPECT_EQ(read.owner, Owner());
}

TEST(Lesson, SaysWhichMemberIsWrong) {
  const std::pair<Json, std::string> cases[] = {
      {Json{{"text", 1}}, "`text` of a lesson has to be a text"},
      {Json{{"kind", "poem"}}, "`kind` of a lesson has to be one of the known words, not `poem`"},
      {Json{{"recalled", -1}}, "`recalled` of a lesson has to be a number from 0 to 1000000000"},
      {Json{{"forgotten", "yes"}}, "`forgotten` of a lesson has to be true or false"},
      {Json{{"contradicts", "x"}}, "`contradicts` of a lesson has to be a list of texts"},
      {Json{{"reflection", "x"}}, "`reflection` of a lesson has to be an object"},
      {Json::array(), "a lesson has to be a JSON object"}};
  for (const auto& [json, message] : cases) {
    try {
      lesson_from_json(json);
      FAIL() << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
      EXPECT_EQ(error.message(), message);
    }
  }
}

TEST(Lesson, NamesThatLeaveTheFolderAreRefused) {
  for (const std::string name : {"", ".", "..", "../up", "a/b", "a\\b", ".hidden", "a b", "a\nb"}) {
    EXPECT_THROW(check_name("an agent", name), Error) << name;
  }
  EXPECT_THROW(check_name("an agent", std::string(65, 'a')), Error);
  EXPECT_THROW(check_name("an agent", "\xff"), Error);
  for (const std::string name : {"default", "researcher-agent", "a.b_c@d", "研究"}) {
    EXPECT_NO_THROW(check_name("an agent", name)) << name;
  }
}

TEST(Lesson, EmptyAndEndlessOnesAreRefused) {
  EXPECT_THROW(check(lesson(" \n\t")), Error);
  EXPECT_THROW(check(lesson(std::string(1 << 20, 'x'))), Error);
  EXPECT_THROW(check(lesson("bad \xff bytes")), Error);
  StoredLesson long_field = lesson("fine");
  long_field.reflection.why = std::string(kLongestField + 1, 'x');
  EXPECT_THROW(check(long_field), Error);
  EXPECT_NO_THROW(check(full_lesson()));
}

TEST(Lesson, HasTheSameIdWheneverItIsLearned) {
  const Owner owner;
  const Provenance from{.run = "r", .attempt = 2};
  EXPECT_EQ(lesson_id(owner, from, Kind::Lesson), lesson_id(owner, from, Kind::Lesson));
  EXPECT_NE(lesson_id(owner, from, Kind::Lesson), lesson_id(owner, from, Kind::Rule));
  EXPECT_NE(lesson_id(owner, from, Kind::Lesson),
            lesson_id({.tenant = "other"}, from, Kind::Lesson));
  EXPECT_EQ(lesson_id(owner, from, Kind::Lesson).size(), 16U);
}

TEST(Lesson, FingerprintsIgnoreWritingAndKeepMeaning) {
  const Owner owner;
  EXPECT_EQ(fingerprint(owner, "Return bare JSON."), fingerprint(owner, "return  bare json"));
  EXPECT_NE(fingerprint(owner, "Return bare JSON."), fingerprint(owner, "Return fenced JSON."));
  EXPECT_NE(fingerprint(owner, "!="), fingerprint(owner, "=="));
  EXPECT_NE(fingerprint(owner, "日本"), fingerprint(owner, "日記"));
  EXPECT_NE(fingerprint(owner, "x"), fingerprint({.agent = "other"}, "x"));
}

}  // namespace
}  // namespace hone::memory
