#include "hone/prompt/reflection.h"

#include <gtest/gtest.h>

#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

TEST(Reflection, TakesAllFieldsOfTheAskedForm) {
  const auto reflection = read_reflection(
      R"({"what_happened": "It summed up.", "what_went_wrong": "The sum is 41", "why": "A slip.",
          "do_differently": "Add again.", "rule": "Check sums.", "principle": "P", "procedure": ""})");
  EXPECT_EQ(reflection.what_happened, "It summed up.");
  EXPECT_EQ(reflection.what_went_wrong, "The sum is 41");
  EXPECT_EQ(reflection.why, "A slip.");
  EXPECT_EQ(reflection.do_differently, "Add again.");
  EXPECT_EQ(reflection.rule, "Check sums.");
  EXPECT_EQ(reflection.principle, "P");
  EXPECT_EQ(reflection.procedure, "");
  EXPECT_EQ(reflection.text, "It summed up. The sum is 41. A slip. Add again. Check sums. P.");
}

TEST(Reflection, FindsTheFormInAFence) {
  const auto reflection = read_reflection("```json\n{\"rule\": \"Check sums.\"}\n```");
  EXPECT_EQ(reflection.rule, "Check sums.");
  EXPECT_EQ(reflection.text, "Check sums.");
}

TEST(Reflection, IgnoresFieldsOfTheWrongType) {
  const auto reflection = read_reflection(
      R"({"rule": "Check sums.", "why": 7, "do_differently": ["a"], "other": "x"})");
  EXPECT_EQ(reflection.rule, "Check sums.");
  EXPECT_EQ(reflection.why, "");
  EXPECT_EQ(reflection.do_differently, "");
}

struct Case {
  const char* name;
  const char* reply;
  const char* rule;
};

TEST(Reflection, AnyOtherReplyIsTakenAsItIs) {
  const Case cases[] = {
      {"plain text", "The summary is missing. Add it.\n", "The summary is missing."},
      {"one sentence", "The summary is missing", "The summary is missing"},
      {"other JSON", R"({"lesson": "Add it."})", R"({"lesson": "Add it."})"},
      {"a list", R"(["Add it."])", R"(["Add it."])"},
      {"only wrong types", R"({"rule": 1})", R"({"rule": 1})"},
      {"only empty fields", R"({"rule": ""})", R"({"rule": ""})"},
      {"cut off", R"({"rule": "Add)", R"({"rule": "Add)"},
      {"nothing", "", ""},
  };
  for (const Case& one : cases) {
    core::Reflection expected;
    expected.text = one.reply;
    expected.rule = one.rule;
    EXPECT_EQ(read_reflection(one.reply), expected) << one.name;
  }
}

TEST(Reflection, WithoutAnAnswerNamesTheIssues) {
  const auto reflection = reflection_without_answer(sample_run().attempts[1]);
  EXPECT_EQ(reflection.text,
            "The reflector did not answer. The evaluation found: /total: is required");
  EXPECT_EQ(reflection.what_went_wrong, "/total: is required");
  EXPECT_EQ(reflection.rule, "");
}

}  // namespace
}  // namespace hone::prompt
