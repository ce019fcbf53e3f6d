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

constexpr std::string_view kAll =
    R"({"what_happened": "A.", "what_went_wrong": "B.", "why": "C.", "do_differently": "D.",
        "rule": "E.", "principle": "F.", "procedure": "G."})";

TEST(Reflection, KeepsTheFieldsOfTheFormThatWasAskedFor) {
  using core::ReflectionForm;
  struct Case {
    ReflectionAsk ask;
    std::string text;
  };
  const Case cases[] = {{{.form = ReflectionForm::Full, .mars = true}, "A. B. C. D. E. F. G."},
                        {{.form = ReflectionForm::Full}, "A. B. C. D. E."},
                        {{.form = ReflectionForm::Short}, "A. B. D. E."},
                        {{.form = ReflectionForm::Procedure}, "A. B. C. D. E. G."},
                        {{.form = ReflectionForm::Sentence}, "E."}};
  for (const Case& each : cases)
    EXPECT_EQ(read_reflection(kAll, each.ask).text, each.text) << to_string(each.ask.form);
  EXPECT_EQ(read_reflection("Just words. And more.", {.form = ReflectionForm::Short}).text,
            "Just words. And more.");
  EXPECT_EQ(read_reflection("Just words. And more.", {.form = ReflectionForm::Sentence}).rule,
            "Just words.");
}

TEST(Reflection, ADecisionKeepsWhatItsMakerSaid) {
  const core::Reflection said{.why = "no server", .rule = "Use SQLite."};
  const std::string_view reply =
      R"({"decision": "Use a file.", "alternatives": "PostgreSQL.", "why": "x",
          "principle": "Prefer one file.", "procedure": "1. Count users."})";
  const core::Reflection read = read_decision(reply, said, true);
  EXPECT_EQ(read.rule, "Use SQLite.");
  EXPECT_EQ(read.what_happened, "PostgreSQL.");
  EXPECT_EQ(read.why, "no server");
  EXPECT_EQ(read.principle, "Prefer one file.");
  EXPECT_EQ(read.procedure, "1. Count users.");
  EXPECT_EQ(read_decision(reply, said, false).principle, "") << "only a significant one has one";
  EXPECT_EQ(read_decision("I agree.", said, true), said);
}

}  // namespace
}  // namespace hone::prompt
