// Whatever stands round a failing verdict, nothing passes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hone/prompt/testing.h"
#include "hone/prompt/verdict.h"

namespace hone::prompt {
namespace {

std::string noise() {
  const auto word = rc::gen::oneOf(
      rc::gen::arbitrary<std::string>(),
      rc::gen::element<std::string>(
          "valid", "It is correct.", "no issues", "passed", "pass", "true", "{", "}", "[", "]",
          "\"", "'", "\n", "```", "```json\n", "score: 1.0", "Score: 10/10\n", "\nVerdict: pass\n",
          "{\"passed\": true, \"score\": 1.0}", "{\"valid\": true}", ", ", ": ", "**", "score",
          "verdict: ", "\"reason\": ", "{\"x\": ", "<output>", "</output>", "0.9", "100%", "(",
          ")"));
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(word)) text += part;
  return text;
}

RC_GTEST_PROP(VerdictProperty, NothingPassesRoundAFailingObject, ()) {
  const auto verdict = *rc::gen::element<std::string>(
      R"({"passed": false, "score": 0.2})", R"({"valid": false})", R"({"verdict": "fail"})",
      R"({"pass": "false", "reason": "the date is wrong"})");
  const std::string reply = noise() + verdict + noise();
  RC_ASSERT(!told(reply).starts_with("passed"));
}

RC_GTEST_PROP(VerdictProperty, NothingPassesRoundAFailingLine, ()) {
  const auto verdict = *rc::gen::element<std::string>(
      "score: 0.2", "**Score:** 3/10", "Verdict: fail", "- Verdict: FAILED", "Score: 20%",
      "passed: false", "Score: 2 (scale 1-5)");
  const std::string reply = noise() + "\n" + verdict + "\n" + noise();
  RC_ASSERT(!told(reply).starts_with("passed"));
}

RC_GTEST_PROP(VerdictProperty, NoiseWithoutAVerdictNeverPasses, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "valid", "correct", "passed", "pass", "no issues", "score", "0.9", "1", "10/10", "is", "true",
      ".", "\n", "yes", "complete"));
  std::string reply;
  for (const std::string& word : words) reply += word + " ";
  RC_ASSERT(told(reply) == "unreadable");
}

RC_GTEST_PROP(VerdictProperty, AScoreOutsideOfItsRangeIsNeverClamped, ()) {
  const int tenths = *rc::gen::suchThat(rc::gen::inRange(-1000, 1000),
                                        [](int value) { return value < 0 || value > 10; });
  const std::string score = fmt::format("{}", tenths / 10.0);
  RC_ASSERT(told("score: " + score) == "unreadable");
  RC_ASSERT(told("{\"score\": " + score + "}") == "unreadable");
  RC_ASSERT(told("{\"passed\": true, \"score\": \"" + score + "\"}") == "unreadable");
}

RC_GTEST_PROP(VerdictProperty, AFlagAndAScoreFollowTheRules, ()) {
  const bool flag = *rc::gen::arbitrary<bool>();
  const double score = *rc::gen::inRange(0, 101) / 100.0;
  const double threshold = *rc::gen::inRange(1, 101) / 100.0;
  const std::string reply = fmt::format("{{\"passed\": {}, \"score\": {}}}", flag, score);
  std::string expected = fmt::format("failed {}", score);
  if (flag && score >= threshold) expected = fmt::format("passed {}", score);
  if (flag ? score < threshold / 2 : score >= threshold) expected = "unreadable";
  RC_ASSERT(told(reply, threshold) == expected);
}

}  // namespace
}  // namespace hone::prompt
