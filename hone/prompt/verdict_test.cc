#include "hone/prompt/verdict.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

const VerdictCase kObjects[] = {
    {"flag and score that agree", R"({"passed": true, "score": 0.9})", "passed 0.9"},
    {"flag false and low score", R"({"passed": false, "score": 0.4})", "failed 0.4"},
    {"the threshold is inclusive", R"({"passed": true, "score": 0.8})", "passed 0.8"},
    {"flag true below the threshold", R"({"passed": true, "score": 0.79})", "failed 0.79"},
    {"flag true at half the threshold", R"({"passed": true, "score": 0.4})", "failed 0.4"},
    {"flag true under half of it", R"({"passed": true, "score": 0.39})", "unreadable"},
    {"flag true and score 0", R"({"valid": true, "score": 0})", "unreadable"},
    {"flag false at the threshold", R"({"passed": false, "score": 0.8})", "unreadable"},
    {"flag false and score 1", R"({"passed": false, "score": 1.0})", "unreadable"},
    {"a flag alone, true", R"({"passed": true})", "passed 1"},
    {"a flag alone, false", R"({"passed": false})", "failed 0"},
    {"valid without a score", R"({"valid": true})", "passed 1"},
    {"a score alone above", R"({"score": 0.95})", "passed 0.95"},
    {"a score alone below", R"({"score": 0.3})", "failed 0.3"},
    {"score 1 as an integer", R"({"score": 1})", "passed 1"},
    {"score 0 as an integer", R"({"score": 0})", "failed 0"},
    {"key pass", R"({"pass": true, "score": 0.9, "feedback": "fine"})", "passed 0.9"},
    {"key pass, false", R"({"pass": false, "score": 0.2})", "failed 0.2"},
    {"key valid", R"({"valid": true, "score": 0.85})", "passed 0.85"},
    {"key valid, false", R"({"valid": false, "score": 0.3, "reason": "x"})", "failed 0.3"},
    {"key verdict, pass", R"({"verdict": "pass"})", "passed 1"},
    {"key verdict, PASSED", R"({"verdict": "PASSED", "score": 0.9})", "passed 0.9"},
    {"key verdict, fail", R"({"verdict": "fail"})", "failed 0"},
    {"key verdict, invalid", R"({"verdict": "invalid", "score": 0.1})", "failed 0.1"},
    {"key verdict, boolean", R"({"verdict": false})", "failed 0"},
    {"key verdict, other word", R"({"verdict": "maybe"})", "unreadable"},
    {"key verdict, correct", R"({"verdict": "correct"})", "unreadable"},
    {"key verdict, sentence", R"({"verdict": "not valid"})", "unreadable"},
    {"keys in capitals", R"({"Passed": true, "SCORE": 0.9})", "passed 0.9"},
    {"the string false is false", R"({"passed": "false"})", "failed 0"},
    {"the string true is true", R"({"passed": "true", "score": 0.9})", "passed 0.9"},
    {"the string no", R"({"valid": "no"})", "failed 0"},
    {"another string", R"({"passed": "almost"})", "unreadable"},
    {"an empty string", R"({"passed": ""})", "unreadable"},
    {"1 is not a boolean", R"({"passed": 1, "score": 0.9})", "unreadable"},
    {"0 is not a boolean", R"({"passed": 0})", "unreadable"},
    {"flag null", R"({"passed": null, "score": 0.9})", "unreadable"},
    {"flag as a list", R"({"passed": [true]})", "unreadable"},
    {"flag as an object", R"({"verdict": {"passed": true}})", "unreadable"},
    {"score null", R"({"valid": true, "score": null})", "unreadable"},
    {"score as a boolean", R"({"score": true})", "unreadable"},
    {"score as a list", R"({"score": [0.9]})", "unreadable"},
    {"score as a word", R"({"score": "high"})", "unreadable"},
    {"score as a string", R"({"score": "0.9"})", "passed 0.9"},
    {"score nan as a string", R"({"score": "nan"})", "unreadable"},
    {"score inf as a string", R"({"score": "inf"})", "unreadable"},
    {"score 8/10", R"({"score": "8/10"})", "passed 0.8"},
    {"score 7/10", R"({"score": "7/10"})", "failed 0.7"},
    {"score 85%", R"({"score": "85%"})", "passed 0.85"},
    {"score 40 %", R"({"score": "40 %"})", "failed 0.4"},
    {"score 4 out of 5", R"({"score": "4 out of 5"})", "passed 0.8"},
    {"score 12/10", R"({"score": "12/10"})", "unreadable"},
    {"score with a comma", R"({"score": "0,9"})", "unreadable"},
    {"two scores in a string", R"({"score": "0.2 or 0.9"})", "unreadable"},
    {"a bare 8", R"({"score": 8})", "unreadable"},
    {"a bare 85", R"({"passed": true, "score": 85})", "unreadable"},
    {"1.5", R"({"score": 1.5})", "unreadable"},
    {"negative", R"({"score": -0.5})", "unreadable"},
    {"just above one", R"({"score": 1.0000001})", "unreadable"},
    {"8 of scale 10", R"({"score": 8, "scale": 10})", "passed 0.8"},
    {"8 of max_score 10", R"({"score": 8, "max_score": 10})", "passed 0.8"},
    {"3 of max_score 10", R"({"max_score": 10, "score": 3})", "failed 0.3"},
    {"scale as text", R"({"score": 4, "scale": "1-5"})", "failed 0.75"},
    {"scale as a pair", R"({"score": 5, "scale": [1, 5]})", "passed 1"},
    {"scale 0 to 100", R"({"score": 30, "scale": "0 to 100"})", "failed 0.3"},
    {"beyond its scale", R"({"score": 11, "scale": 10})", "unreadable"},
    {"below its scale", R"({"score": 0, "scale": "1-5"})", "unreadable"},
    {"a scale that is none", R"({"score": 0.9, "scale": "inverted"})", "unreadable"},
    {"two scales", R"({"score": "8/10", "scale": 10})", "unreadable"},
    {"two scales that differ", R"({"score": 8, "scale": 10, "max": 100})", "unreadable"},
    {"two flags that agree", R"({"passed": true, "valid": true})", "passed 1"},
    {"two flags that disagree", R"({"passed": true, "valid": false})", "unreadable"},
    {"verdict against passed", R"({"verdict": "fail", "passed": true, "score": 1})", "unreadable"},
    {"keys that differ in case", R"({"score": 0.2, "Score": 0.9})", "unreadable"},
    {"a key twice", R"({"score": 0.2, "score": 0.9})", "unreadable"},
    {"an inner flag that disagrees", R"({"passed": true, "checks": [{"passed": false}]})",
     "unreadable"},
    {"no key of a verdict", R"({"ok": true, "rating": 0.9})", "unreadable"},
    {"a wrapped verdict", R"({"result": {"passed": true, "score": 1}})", "unreadable"},
    {"an error object", R"({"error": "overloaded", "success": false})", "unreadable"},
    {"an empty object", "{}", "unreadable"},
    {"a list", R"([{"passed": true}])", "unreadable"},
    {"a number", "0.9", "unreadable"},
    {"the number 1", "1", "unreadable"},
    {"true", "true", "unreadable"},
    {"null", "null", "unreadable"},
    {"a string with an object", R"("{\"passed\": true}")", "unreadable"},
    {"an empty reply", "", "unreadable"},
    {"blanks", " \n\t ", "unreadable"},
};

const VerdictCase kEmbedded[] = {
    {"fenced, failing", "```json\n{\"valid\": false, \"score\": 0.3}\n```", "failed 0.3"},
    {"fenced, passing", "```json\n{\"valid\": true, \"score\": 0.9}\n```", "passed 0.9"},
    {"fenced without a language", "```\n{\"passed\": false}\n```", "failed 0"},
    {"in prose", "Here is my verdict: {\"passed\": false, \"score\": 0.2} as asked.", "failed 0.2"},
    {"after the word valid", "The JSON is valid. {\"passed\": false, \"score\": 0.2}",
     "failed 0.2"},
    {"the same twice", "{\"score\": 0.9}\nAgain: {\"score\": 0.9}", "passed 0.9"},
    {"two that disagree", "{\"score\": 0.2} no, {\"score\": 0.9}", "unreadable"},
    {"pass, then fail", "{\"passed\": true}\n{\"passed\": false}", "unreadable"},
    {"the output quoted first", "It says {\"passed\": true}. {\"passed\": false, \"score\": 0}",
     "unreadable"},
    {"fence and prose disagree", "```json\n{\"score\": 0.9}\n```\nScore: 0.3", "unreadable"},
    {"prose agrees", "Score: 90%\n{\"passed\": true, \"score\": 0.9}", "passed 0.9"},
    {"a label inside of a sentence disagrees", "I first had score: 0.3 here. {\"score\": 0.9}",
     "unreadable"},
    {"a heading before it", "**Verdict:**\n{\"passed\": false, \"score\": 0.1}", "failed 0.1"},
    {"a list in prose", "[{\"passed\": true}, {\"passed\": false}]", "unreadable"},
    {"inside of another object", "So: {\"example\": {\"passed\": true}} {\"passed\": true}",
     "unreadable"},
    {"another object beside it", "Seen {\"total\": 41}. {\"passed\": false, \"score\": 0.3}",
     "failed 0.3"},
    {"braces of code before it", "if (x) { y(); } {\"passed\": false}", "failed 0"},
    {"cut off", "{\"passed\": true, \"score\": 0.9, \"reason\": \"The", "unreadable"},
    {"a trailing comma", "{\"passed\": true, \"score\": 0.9,}", "unreadable"},
    {"single quotes", "{'passed': True, 'score': 0.9}", "unreadable"},
    {"broken outside, whole inside", "{\"passed\": false, \"old\": {\"passed\": true},}",
     "unreadable"},
    {"thoughts before it", "<think>Is score: 0.9 right? No.</think>{\"score\": 0.2}", "failed 0.2"},
    {"nothing but thoughts", "<think>{\"passed\": true}", "unreadable"},
    {"a label in its reason is text", R"(X {"passed": false, "reason": "score: 1.0 is wrong"})",
     "failed 0"},
    {"not a number", "{\"score\": NaN}", "unreadable"},
    {"a huge number", "{\"score\": 1e999}", "unreadable"},
};

class ReadsJson : public testing::TestWithParam<VerdictCase> {};
TEST_P(ReadsJson, AsStated) { EXPECT_EQ(told(GetParam().reply), GetParam().expected); }

std::string name_of(const testing::TestParamInfo<VerdictCase>& info) {
  std::string name(info.param.name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return std::to_string(info.index) + "_" + name;
}

INSTANTIATE_TEST_SUITE_P(Objects, ReadsJson, testing::ValuesIn(kObjects), name_of);
INSTANTIATE_TEST_SUITE_P(Embedded, ReadsJson, testing::ValuesIn(kEmbedded), name_of);

Verdict read(std::string_view reply) { return std::get<Verdict>(read_verdict(reply)); }

TEST(Verdict, TakesReasonIssuesSuggestionsAndConfidence) {
  const Verdict verdict = read(
      R"({"passed": false, "score": 0.4, "feedback": "no summary", "confidence": 0.7,
          "errors": ["too short", {"path": "items.0.name", "message": "is missing"},
                     {"line": 3, "message": "is long"}, 7], "suggestions": ["add one", 1]})");
  EXPECT_EQ(verdict.reason, "no summary");
  ASSERT_EQ(verdict.issues.size(), 3U);
  EXPECT_EQ(verdict.issues[0].message, "too short");
  EXPECT_EQ(verdict.issues[1].path, "/items/0/name");
  EXPECT_EQ(verdict.issues[2].line, 3);
  EXPECT_EQ(verdict.suggestions, std::vector<std::string>{"add one"});
  EXPECT_EQ(verdict.confidence, 0.7);
}

TEST(Verdict, IgnoresRemarksOfTheWrongType) {
  const Verdict verdict =
      read(R"({"passed": true, "reason": 7, "issues": null, "suggestions": {}, "confidence": 3})");
  EXPECT_EQ(verdict, Verdict{.passed = true});
}

core::Evaluation decided(std::string_view reply) {
  return std::get<core::Evaluation>(decide(read(reply), {Score(0.8), "style"}));
}

TEST(Verdict, AFailureSaysWhyInItsIssues) {
  const auto both = decided(R"({"passed": false, "reason": "bad", "issues": ["too short"]})");
  ASSERT_EQ(both.issues.size(), 2U);
  EXPECT_EQ(both.issues[0].message, "bad");
  EXPECT_EQ(both.issues[0].check, "style");
  EXPECT_EQ(both.issues[0].kind, "judge");
  const auto same = decided(R"({"passed": false, "reason": "bad", "issues": ["bad"]})");
  EXPECT_EQ(same.issues.size(), 1U);
  const auto silent = decided(R"({"score": 0.5})");
  ASSERT_EQ(silent.issues.size(), 1U);
  EXPECT_EQ(silent.issues[0].message, "rejected with score 0.5 of at least 0.8");
}

TEST(Verdict, APassKeepsItsIssuesAsWarnings) {
  const auto evaluation = decided(R"({"passed": true, "issues": ["a typo"]})");
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].severity, core::Severity::Warning);
}

TEST(Verdict, ReadsAValueThatCodeReturned) {
  EXPECT_TRUE(std::holds_alternative<Verdict>(read_verdict(Json{{"valid", true}})));
  EXPECT_TRUE(std::holds_alternative<Unreadable>(read_verdict(Json{{"ok", true}})));
  EXPECT_TRUE(std::holds_alternative<Unreadable>(read_verdict(Json(0.9))));
}

TEST(Verdict, EndsSoonOnManyBraces) {
  std::string hostile;
  while (hostile.size() < 60'000) hostile += "{\"a";
  EXPECT_EQ(told(hostile), "unreadable");
  EXPECT_EQ(told(std::string(200'000, 'x')), "unreadable");
  EXPECT_EQ(told(std::string(60'000, '[')), "unreadable");
}

}  // namespace
}  // namespace hone::prompt
