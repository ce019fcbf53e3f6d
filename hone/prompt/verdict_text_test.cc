#include <gtest/gtest.h>

#include <cctype>

#include "hone/prompt/testing.h"
#include "hone/prompt/verdict.h"

namespace hone::prompt {
namespace {

const VerdictCase kScores[] = {
    {"colon", "score: 0.85", "passed 0.85"},
    {"equals sign", "score=0.4", "failed 0.4"},
    {"no leading zero", "Score: .5", "failed 0.5"},
    {"eight of ten", "Score: 8/10", "passed 0.8"},
    {"85 of 100", "Score: 85/100", "passed 0.85"},
    {"per cent", "score: 85%", "passed 0.85"},
    {"per cent after a blank", "Score: 40 %", "failed 0.4"},
    {"exponent", "score: 1e-1", "failed 0.1"},
    {"negative", "score: -0.5", "unreadable"},
    {"bold label", "**Score:** 0.7", "failed 0.7"},
    {"bold label, one", "**Score:** 1", "passed 1"},
    {"bold label, eight of ten", "**Score:** 8/10", "passed 0.8"},
    {"bold both", "**Score**: **0.9**", "passed 0.9"},
    {"heading", "## Score: 0.9", "passed 0.9"},
    {"bullet", "- Score: 0.9", "passed 0.9"},
    {"number of a list", "1. Score: 0.9", "passed 0.9"},
    {"code", "`score: 0.3`", "failed 0.3"},
    {"four out of five", "Score: 4 out of 5", "passed 0.8"},
    {"four out of five without a label", "4 out of 5", "unreadable"},
    {"later score differs", "prev score: 0.2\nscore: 0.9", "unreadable"},
    {"two that differ", "score: 0.2\nscore: 0.9", "unreadable"},
    {"two that agree", "score: 0.9\nFinal score: 90%", "passed 0.9"},
    {"decimal comma", "score: 0,9", "unreadable"},
    {"not a number", "score: nan", "unreadable"},
    {"infinite", "score: inf", "unreadable"},
    {"a word", "score: high", "unreadable"},
    {"nothing after the label", "score:", "unreadable"},
    {"above one", "score: 1.5", "unreadable"},
    {"a bare eight", "score: 8", "unreadable"},
    {"a bare eight in capitals", "Score: 8.", "unreadable"},
    {"scale after it", "Score: 3 (scale 1-5)", "failed 0.5"},
    {"scale after it, best", "Score: 5 (scale 1-5)", "passed 1"},
    {"scale in words", "Score: 3 on a scale of 1 to 5", "failed 0.5"},
    {"scale before the colon", "Score (0-10): 9", "passed 0.9"},
    {"scale before the colon, failing", "Score (1-5): 1", "failed 0"},
    {"score of one criterion", "Score (clarity): 0.9", "unreadable"},
    {"two scales", "Score: 8/10 (1-5)", "unreadable"},
    {"stars", "Score: 4 stars", "unreadable"},
    {"points", "Score: 1 points", "unreadable"},
    {"twelve of ten", "Score: 12/10", "unreadable"},
    {"of zero", "Score: 8/0", "unreadable"},
    {"120 per cent", "Score: 120%", "unreadable"},
    {"a range", "Score: 0.4-0.9", "unreadable"},
    {"a range in words", "Score: 0.8 to 0.9", "unreadable"},
    {"an alternative", "score: 0.2 or 0.9", "unreadable"},
    {"a change", "score: 0.9 -> 0.3", "unreadable"},
    {"a question", "score: 0.9?", "unreadable"},
    {"hedged", "score: 0.9 if the total were right", "unreadable"},
    {"hedged after a comma", "score: 0.9, if the total were right", "unreadable"},
    {"numbers in parentheses", "Score: 0.9 (was 0.2)", "unreadable"},
    {"words in parentheses", "Score: 0.9 (very good)", "passed 0.9"},
    {"a dash and words", "Score: 0.4 - the total is 41", "failed 0.4"},
    {"a sentence after it", "Score: 0.9. All fields are there.", "passed 0.9"},
    {"a reason on the next line", "score: 0.3\nThe month is not checked.", "failed 0.3"},
    {"a reason on the line before", "All is there.\nscore: 0.9", "passed 0.9"},
    {"a reason beside it", "score: 0.9, reason: all is there", "passed 0.9"},
    {"a placeholder", "score: <number from 0 to 1>", "unreadable"},
    {"a quoted key", "\"score\": 0.9", "unreadable"},
    {"a quoted key and another", "\"score\": 0.4, earlier draft score: 0.9", "unreadable"},
    {"quoted text", "> score: 0.9", "unreadable"},
    {"inside of a sentence", "I cannot give it score: 0.9", "unreadable"},
    {"scores of two criteria", "Clarity score: 0.9\nTotal score: 0.4", "unreadable"},
    {"part of a word", "underscore: 0.9", "unreadable"},
    {"plural", "scores: 0.9", "unreadable"},
    {"compared", "score == 0.9", "unreadable"},
};

const VerdictCase kFlags[] = {
    {"pass", "Verdict: pass", "passed 1"},
    {"PASS in bold", "**Verdict:** **PASS**", "passed 1"},
    {"passed and a sentence", "Verdict: passed. No issues.", "passed 1"},
    {"fail", "Verdict: fail", "failed 0"},
    {"fail and why", "Verdict: FAIL because the date is wrong", "failed 0"},
    {"valid: no", "valid: no", "failed 0"},
    {"passed: true", "passed: true\nscore: 0.9", "passed 0.9"},
    {"passed: false", "passed: false\nscore: 0.3", "failed 0.3"},
    {"both on one line", "Verdict: pass, score: 0.9", "passed 0.9"},
    {"both, score in parentheses", "Verdict: PASS (score: 0.9)", "passed 0.9"},
    {"both, no comma", "Verdict: fail Score: 0.2", "failed 0.2"},
    {"they contradict", "Verdict: pass\nScore: 0.1", "unreadable"},
    {"they contradict the other way", "Verdict: fail\nScore: 0.9", "unreadable"},
    {"pass below the threshold", "Verdict: pass\nScore: 0.7", "failed 0.7"},
    {"two verdicts", "Verdict: pass\nVerdict: fail", "unreadable"},
    {"final verdict differs", "Verdict: pass\nFinal verdict: fail", "unreadable"},
    {"either", "Verdict: pass/fail", "unreadable"},
    {"either in words", "Verdict: pass or fail", "unreadable"},
    {"negated", "Verdict: not valid", "unreadable"},
    {"reserved", "Verdict: pass, but only just", "unreadable"},
    {"reserved in parentheses", "Verdict: pass (if the date is fixed)", "unreadable"},
    {"a condition", "Verdict: valid only if the date is fixed", "unreadable"},
    {"a question", "Verdict: pass?", "unreadable"},
    {"1 is no word", "passed: 1", "unreadable"},
    {"a count", "passed: 3 of 5", "unreadable"},
    {"another word", "Verdict: correct", "unreadable"},
    {"inside of a sentence", "I would not say verdict: pass", "unreadable"},
    {"a count of tests beside a verdict", "Tests passed: 3\nVerdict: fail", "failed 0"},
};

const VerdictCase kProse[] = {
    {"it is not valid", "It is not valid", "unreadable"},
    {"this answer is not valid", "This answer is not valid.", "unreadable"},
    {"it is valid", "The answer is valid.", "unreadable"},
    {"validation complete", "Validation complete: score 0.2", "unreadable"},
    {"invalid", "invalid", "unreadable"},
    {"valid", "valid", "unreadable"},
    {"no issues with tone", "no issues with tone, but the date is wrong", "unreadable"},
    {"no issues", "No issues found.", "unreadable"},
    {"zero errors", "0 errors found", "unreadable"},
    {"there are no issues except", "there are no issues except the date", "unreadable"},
    {"it is correct", "It is correct.", "unreadable"},
    {"it is not correct", "I do not think that it is correct.", "unreadable"},
    {"looks good", "LGTM, passes all checks", "unreadable"},
    {"out of one", "out of 1.0 I'd say 0.3", "unreadable"},
    {"improved by", "improved by 0.2 but final score is 0.9", "unreadable"},
    {"a bare number on a line", "0.9\nwell done", "unreadable"},
    {"a bare fraction", "8/10", "unreadable"},
    {"the score is", "The score is 0.9.", "unreadable"},
    {"refusal", "I'm sorry, I can't help with that.", "unreadable"},
    {"yes", "Yes", "unreadable"},
    {"a table", "| score | 0.9 |", "unreadable"},
    {"invalid UTF-8", "score\xff: 0.9", "unreadable"},
};

class ReadsText : public testing::TestWithParam<VerdictCase> {};
TEST_P(ReadsText, AsStated) { EXPECT_EQ(told(GetParam().reply), GetParam().expected); }

std::string name_of(const testing::TestParamInfo<VerdictCase>& info) {
  std::string name(info.param.name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return std::to_string(info.index) + "_" + name;
}

INSTANTIATE_TEST_SUITE_P(Scores, ReadsText, testing::ValuesIn(kScores), name_of);
INSTANTIATE_TEST_SUITE_P(Flags, ReadsText, testing::ValuesIn(kFlags), name_of);
INSTANTIATE_TEST_SUITE_P(Prose, ReadsText, testing::ValuesIn(kProse), name_of);

Verdict read(std::string_view reply) { return std::get<Verdict>(read_verdict(reply)); }

TEST(LabelledVerdict, TheRestIsTheReason) {
  EXPECT_EQ(read("score: 0.4\nThe month is not checked.").reason, "The month is not checked.");
  EXPECT_EQ(read("Score: 0.4\n**Reason:** no month").reason, "no month");
  EXPECT_EQ(read("Verdict: fail - the total is 41").reason, "the total is 41");
  EXPECT_EQ(read("The total is 41.\nVerdict: fail\nIt must be 42.").reason,
            "The total is 41.\nIt must be 42.");
  EXPECT_EQ(read("score: 0.4").reason, "");
}

TEST(LabelledVerdict, SaysWhatWasWrong) {
  const auto problem = [](std::string_view reply) {
    return std::get<Unreadable>(read_verdict(reply)).problem;
  };
  EXPECT_EQ(problem("score: 8"), "the score 8 is not from 0 to 1");
  EXPECT_EQ(problem("score: 0.2\nscore: 0.9"), "it has different scores: 0.2, 0.9");
  EXPECT_EQ(problem("Verdict: pass\nVerdict: fail"),
            "it says both that the output passes and that it fails");
  EXPECT_EQ(problem("fine"), "it has no verdict in JSON");
  EXPECT_EQ(problem(""), "it is empty");
}

}  // namespace
}  // namespace hone::prompt
