#include "hone/memory/words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace hone::memory {
namespace {

using Words = std::vector<std::string>;

TEST(Words, FormsOfOneWordMeet) {
  const std::vector<Words> families{
      {"parse", "parses", "parsed", "parsing", "parser", "parsers"},
      {"validate", "validates", "validated", "validating", "validation", "validator"},
      {"query", "queries"},
      {"stop", "stopped", "stopping", "stops"},
      {"date", "dates", "dated", "dating"},
      {"retry", "retries", "retried", "retrying"},
      {"format", "formats", "formatted", "formatting"},
      {"box", "boxes"},
      {"pass", "passes", "passed", "passing"},
      {"create", "creates", "created", "creating", "creation"}};
  for (const Words& family : families) {
    for (const std::string& word : family) {
      EXPECT_EQ(words_of(word), words_of(family.front())) << word;
    }
  }
}

TEST(Words, DifferentWordsStayApart) {
  const Words words{"parse", "part",   "date", "data", "test",  "text",   "state", "index", "union",
                    "sting", "string", "bed",  "red",  "class", "clause", "json",  "yaml"};
  std::set<Words> seen;
  for (const std::string& word : words) EXPECT_TRUE(seen.insert(words_of(word)).second) << word;
}

TEST(Words, NamesInCodeAreTakenApart) {
  EXPECT_EQ(words_of("parseJson"), words_of("parse_json"));
  EXPECT_EQ(words_of("parseJson"), words_of("Parse JSON."));
}

TEST(Words, FillerIsLeftOut) {
  EXPECT_EQ(words_of("what is the of and with"), Words());
  EXPECT_EQ(words_of(" \n.,;!?-—…"), Words());
}

TEST(Words, OtherScriptsAreRead) {
  EXPECT_EQ(words_of("日本語"), (Words{"日本", "本語"}));
  EXPECT_EQ(words_of("猫"), Words{"猫"});
  EXPECT_EQ(words_of("ПРИВЕТ мир"), (Words{"привет", "мир"}));
  EXPECT_EQ(words_of("مرحبا بالعالم").size(), 2U);
  EXPECT_EQ(words_of("Éclair über"), words_of("éclair Über"));
  EXPECT_EQ(words_of("🎉 party"), (Words{"🎉", "parti"}));
}

TEST(Words, WordsOfAllTasksTellLittle) {
  EXPECT_LT(weight_of(words_of("write").front()), weight_of(words_of("kubernetes").front()));
}

RC_GTEST_PROP(Words, AnyBytesAreRead, (const std::string& bytes)) {
  for (const std::string& word : words_of(bytes)) RC_ASSERT(!word.empty());
}

}  // namespace
}  // namespace hone::memory
