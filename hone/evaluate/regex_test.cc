#include "hone/evaluate/regex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "hone/base/error.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

using Steady = std::chrono::steady_clock;

struct PatternCase {
  std::string source;
  std::string text;
  Pattern::Answer answer;
};
TEST(Pattern, FindsWhatPcreFinds) {
  using enum Pattern::Answer;
  const PatternCase cases[] = {{"b+", "abbc", Found},
                               {"^b", "ab", Absent},
                               {"^b", "a\nb", Absent},
                               {"(?m)^b", "a\nb", Found},
                               {"c$", "abc\n", Found},
                               {"(?i)ABC", "xabc", Found},
                               {R"(\bü\w+)", "das Übel", Absent},
                               {R"((?i)\bü\w+)", "das Übel", Found},
                               {"^.$", "€", Found},
                               {R"((\d+)-\1)", "12-12", Found},
                               {"(?<=a)b(?!c)", "abc", Absent},
                               {"", "", Found}};
  for (const PatternCase& test : cases) {
    EXPECT_EQ(Pattern(test.source).find(test.text).answer, test.answer)
        << test.source << " in " << test.text;
  }
}

TEST(Pattern, SaysWhereAWrongOneIsWrong) {
  try {
    Pattern("ab(c");
    ADD_FAILURE() << "compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_NE(error.message().find("`ab(c` is wrong at offset 4"), std::string::npos)
        << error.message();
  }
  EXPECT_THROW(Pattern("\xff"), Error);
}

TEST(Pattern, GivesUpOnWhatWouldTakeForEver) {
  const PatternCase cases[] = {
      {"(a+)+$", std::string(40, 'a') + "!", Pattern::Answer::GaveUp},
      {"^(?:a|aa)+$", std::string(60, 'a') + "!", Pattern::Answer::GaveUp},
      {"(x+x+)+y", std::string(3000, 'x'), Pattern::Answer::Absent},  // `y` is needed.
      {"(x+x+)+[yz]", std::string(3000, 'x'), Pattern::Answer::GaveUp},
      {"a*a*a*a*[bc]", std::string(500, 'a'), Pattern::Answer::GaveUp},
      {"x+x+[yz]", std::string(1400, 'x'), Pattern::Answer::GaveUp},  // Merely quadratic.
      {"x+[yz]", std::string(200'000, 'x'), Pattern::Answer::GaveUp},
      {"(?R)?a|b(?R)", std::string(100'000, 'b'), Pattern::Answer::GaveUp}};
  for (const PatternCase& test : cases) {
    const auto started = Steady::now();
    EXPECT_EQ(Pattern(test.source).find(test.text).answer, test.answer) << test.source;
    EXPECT_LT(Steady::now() - started, std::chrono::seconds(2)) << test.source;
  }
}

TEST(Pattern, SearchesALongHonestText) {
  std::string text(200'000, 'x');
  text += " total: 12 EUR";
  EXPECT_EQ(Pattern(R"(total: \d+ EUR)").find(text).begin, 200'001U);
  EXPECT_EQ(Pattern(R"((?s)^x.*EUR$)").find(text).answer, Pattern::Answer::Found);
}

TEST(Pattern, ServesManyThreads) {
  const Pattern pattern("(a|b)+c");
  std::vector<int> found(4);
  std::vector<std::thread> threads;
  for (int& count : found) {
    threads.emplace_back([&pattern, &count] {
      for (int i = 0; i < 200; ++i) {
        count += pattern.find("xxababc").answer == Pattern::Answer::Found ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : found) EXPECT_EQ(count, 200);
}

struct RegexCase {
  std::string name;
  RegexRules rules;
  std::string output;
  core::Outcome outcome;
  std::optional<double> score;
};
const std::string kEvil = "(a+)+$";
const std::string kEvilText = std::string(40, 'a') + "!";
const RegexCase kRegexCases[] = {
    {"found", {.must = {"b"}, .must_not = {}}, "abc", core::Outcome::Passed, 1.0},
    {"not found", {.must = {"d"}, .must_not = {}}, "abc", core::Outcome::Failed, 0.0},
    {"one of two", {.must = {"a", "d"}, .must_not = {}}, "abc", core::Outcome::Failed, 0.5},
    {"nothing forbidden", {.must = {}, .must_not = {"d"}}, "abc", core::Outcome::Passed, 1.0},
    {"forbidden", {.must = {}, .must_not = {"b"}}, "abc", core::Outcome::Failed, 0.0},
    {"both found", {.must = {"a"}, .must_not = {"b"}}, "abc", core::Outcome::Failed, 0.0},
    {"neither found", {.must = {"d"}, .must_not = {"e"}}, "abc", core::Outcome::Failed, 0.0},
    {"not UTF-8",
     {.must = {"b$"}, .must_not = {}},
     "a\xff"
     "b",
     core::Outcome::Passed,
     1.0},
    {"gave up", {.must = {kEvil}, .must_not = {}}, kEvilText, core::Outcome::Unknown, {}},
    {"gave up on both", {.must = {}, .must_not = {kEvil}}, kEvilText, core::Outcome::Unknown, {}},
    {"a miss beats giving up",
     {.must = {kEvil, "z"}, .must_not = {}},
     kEvilText,
     core::Outcome::Failed,
     0.0}};

TEST(Regex, MustAndMustNot) {
  for (const RegexCase& test : kRegexCases) {
    RegexCheck check(test.rules);
    const core::Evaluation evaluation = evaluation_of(check, test.output);
    EXPECT_EQ(evaluation.outcome, test.outcome) << test.name;
    ASSERT_EQ(evaluation.score.has_value(), test.score.has_value()) << test.name;
    if (test.score) EXPECT_EQ(evaluation.score->value(), *test.score) << test.name;
    EXPECT_EQ(evaluation.error.has_value(), test.outcome == core::Outcome::Unknown) << test.name;
  }
}

TEST(Regex, SaysWhereTheForbiddenStands) {
  RegexCheck check({.must = {}, .must_not = {"TODO.*"}});
  const core::Evaluation evaluation = evaluation_of(check, "one\ntwo TODO later\nthree");
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].line, 2);
  EXPECT_EQ(evaluation.issues[0].message,
            "`TODO later` matches the pattern `TODO.*`, which is not allowed");
}

TEST(Regex, NeedsAPattern) { EXPECT_THROW(RegexCheck(RegexRules{}), Error); }

}  // namespace
}  // namespace hone::evaluate
