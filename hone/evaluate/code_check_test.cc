#include "hone/evaluate/code_check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

using core::CodeEnd;
using core::CodeResult;
using core::Outcome;

class FakeCode final : public core::CodeRunner {
 public:
  async<CodeResult> run(core::Context context, const core::CodeRequest& request) override {
    asked.push_back(request);
    path = context.path;
    co_return result;
  }
  CodeResult result;
  std::vector<core::CodeRequest> asked;
  std::string path;
};

const CodeOptions kOptions{.code = "x", .place = {"t.yaml", 4, 7}};

CodeResult returned(const char* json) { return {.value = JsonText{json}}; }

std::string shown(const core::Evaluation& evaluation) {
  std::string text(core::to_string(evaluation.outcome));
  if (evaluation.score) text += " " + dump(Json(evaluation.score->value()));
  if (evaluation.error) text += " " + *evaluation.error;
  return text;
}

struct ResultCase {
  const char* value;
  const char* expected;
};

TEST(CodeCheck, ReadsEveryFormOfResult) {
  const std::string no_verdict =
      ", which is no verdict; return true or false, a number from 0 to 1, or a mapping with "
      "`valid` or `score`";
  const std::pair<const char*, std::string> cases[] = {
      {"true", "passed 1.0"},
      {"false", "failed 0.0"},
      {"0.5", "passed 0.5"},
      {"0.49", "failed 0.49"},
      {"1", "passed 1.0"},
      {"0", "failed 0.0"},
      {"1.5", "unknown t.yaml: the python check: it returned 1.5, and a score is from 0 to 1"},
      {"-1", "unknown t.yaml: the python check: it returned -1, and a score is from 0 to 1"},
      {R"({"valid": true})", "passed 1.0"},
      {R"({"valid": false})", "failed 0.0"},
      {R"({"valid": true, "score": 0.9})", "passed 0.9"},
      {R"({"valid": true, "score": 0.7})", "failed 0.7"},
      {R"({"score": 0.7})", "failed 0.7"},
      {R"({"score": 0.8})", "passed 0.8"},
      {R"({"valid": false, "score": 0.9})",
       "unknown t.yaml: the python check: it returned a mapping, but it says that the output fails "
       "and gives the score 0.9 (passed from 0.8)"},
      {R"({"ok": true})",
       "unknown t.yaml: the python check: it returned a mapping, but it has no verdict in JSON"},
      {"\"true\"", "unknown t.yaml: the python check: it returned a text" + no_verdict},
      {"[true]", "unknown t.yaml: the python check: it returned a list" + no_verdict},
  };
  for (const auto& [value, expected] : cases) {
    EXPECT_EQ(shown(evaluation_of(returned(value), kOptions)), expected) << value;
  }
}

TEST(CodeCheck, WhatCouldNotBeJudgedIsUnknownWithItsPlace) {
  const std::pair<CodeResult, const char*> cases[] = {
      {{.end = CodeEnd::NotCode, .message = "expected ':'", .line = 2, .column = 5},
       "unknown t.yaml:5:11: the python check: expected ':'"},
      {{.end = CodeEnd::Raised, .message = "NameError: x", .line = 3},
       "unknown t.yaml:6: the python check: NameError: x"},
      {{.end = CodeEnd::TimedOut},
       "unknown t.yaml: the python check: it did not end within 2.0 s; give it a longer `timeout`"},
      {{.end = CodeEnd::Died, .message = "its process exited with 0"},
       "unknown t.yaml: the python check: its process exited with 0"},
      {{.end = CodeEnd::TooLong},
       "unknown t.yaml: the python check: what it returned is longer than 1048576 bytes"},
      {{.message = "`valid` twice"}, "unknown t.yaml: the python check: it returned `valid` twice"},
      {{},
       "unknown t.yaml: the python check: it returned nothing; return true or false, a number from "
       "0 to 1, or a mapping with `valid` or `score`"},
  };
  for (const auto& [result, expected] : cases) {
    EXPECT_EQ(shown(evaluation_of(result, kOptions)), expected);
  }
}

TEST(CodeCheck, AThresholdIsForEveryScore) {
  CodeOptions options = kOptions;
  options.threshold = Score(0.6);
  EXPECT_EQ(shown(evaluation_of(returned("0.55"), options)), "failed 0.55");
  EXPECT_EQ(shown(evaluation_of(returned(R"({"score": 0.6})"), options)), "passed 0.6");
}

TEST(CodeCheck, ErrorsAndSuggestionsOfAMappingAreIssuesAndSuggestions) {
  const auto evaluation =
      evaluation_of(returned(R"({"valid": false, "errors": ["a", {"path": "/x", "message": "b"}],
                   "feedback": "c", "suggestions": ["d"]})"),
                    kOptions);
  ASSERT_EQ(evaluation.issues.size(), 3U);
  EXPECT_EQ(evaluation.issues[0].message, "c");
  EXPECT_EQ(evaluation.issues[2].path, "/x");
  EXPECT_EQ(evaluation.issues[2].kind, "python");
  EXPECT_EQ(evaluation.suggestions, std::vector<std::string>{"d"});
}

TEST(CodeCheck, ShowsTheRunToTheCodeAndInputHidesNothingOfIt) {
  core::Run run;
  run.task.input = JsonText{R"({"output": "mine", "n": 7})"};
  core::Attempt first{.number = 1};
  first.output.text = "old";
  core::Issue issue;
  issue.message = "too short";
  first.evaluation = core::failed(Score(0.25), {issue});
  run.attempts = {first};
  FakeCode code;
  code.result = returned("true");
  CodeCheck check(kOptions, code);
  EXPECT_EQ(evaluation_in(run, check, "new").outcome, Outcome::Passed);
  EXPECT_EQ(code.path, "attempt/1/evaluate/run");
  const Json variables = parse_json(code.asked.at(0).variables.text);
  EXPECT_EQ(variables["output"], "new");
  EXPECT_EQ(variables["state"]["output"], "new");
  EXPECT_EQ(variables["state"]["n"], 7);
  EXPECT_EQ(variables["reflection_errors"][0]["message"], "too short");
  EXPECT_EQ(variables["reflection_history"][0]["score"], 0.25);
}

TEST(CodeCheck, WithoutCodeIsAnError) {
  FakeCode code;
  EXPECT_THROW(CodeCheck({.code = " \n"}, code), Error);
}

}  // namespace
}  // namespace hone::evaluate
