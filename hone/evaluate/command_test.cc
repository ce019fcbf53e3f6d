#include "hone/evaluate/command.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"
#include "hone/evaluate/command_report.h"
#include "hone/evaluate/system_runner.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

core::Evaluation check(const std::string& command, const std::string& output = "the output") {
  SystemRunner runner;
  CommandCheck evaluator({.run = command, .timeout = std::chrono::seconds(20)}, runner);
  return evaluation_of(evaluator, output);
}

std::vector<std::string> messages(const core::Evaluation& evaluation) {
  std::vector<std::string> texts;
  for (const core::Issue& issue : evaluation.issues) texts.push_back(issue.message);
  return texts;
}

using Texts = std::vector<std::string>;

struct OutcomeCase {
  std::string command;
  core::Outcome outcome;
  std::string error;  // Part of it.
};
TEST(CommandCheck, TheExitCodeDecides) {
  using enum core::Outcome;
  const OutcomeCase cases[] = {{"true", Passed, ""},
                               {"echo '{\"passed\": false, \"score\": 0.1}'", Passed, ""},
                               {"exit 1", Failed, ""},
                               {"exit 255", Failed, ""},
                               {"echo '{\"passed\": true, \"score\": 1}'; exit 1", Failed, ""},
                               {"no-such-program --flag", Unknown, "could not be started"},
                               {"/etc/passwd", Unknown, "could not be started"},
                               {"kill -SEGV $$", Unknown, "signal 11"},
                               {"sh -c 'kill -ABRT $$'; exit $?", Unknown, "signal 6"}};
  for (const OutcomeCase& test : cases) {
    const core::Evaluation evaluation = check(test.command);
    EXPECT_EQ(evaluation.outcome, test.outcome) << test.command;
    EXPECT_EQ(evaluation.score.has_value(), test.outcome != Unknown) << test.command;
    EXPECT_NE(evaluation.error.value_or("").find(test.error), std::string::npos)
        << evaluation.error.value_or("no error");
  }
}

TEST(CommandCheck, GetsTheOutputOnStdinAndInAFile) {
  const std::string text = "line 1\nline 2 without end";
  const std::string both = "cat > /dev/null; test \"$(cat \"$HONE_OUTPUT_FILE\")\" = 'x y'";
  EXPECT_EQ(check(both, "x y").outcome, core::Outcome::Passed);
  EXPECT_EQ(check(both, "x z").outcome, core::Outcome::Failed);
  EXPECT_EQ(check("cmp - \"$HONE_OUTPUT_FILE\"", text).outcome, core::Outcome::Passed);
}

TEST(CommandCheck, EveryLineItSaysIsAnIssue) {
  const auto evaluation = check("echo; echo ' one '; echo two >&2; exit 2");
  EXPECT_EQ(messages(evaluation), (Texts{"two", "one"}));
  EXPECT_EQ(evaluation.issues[0].kind, "command");
  EXPECT_EQ(evaluation.score, Score(0.0));
}

TEST(CommandCheck, SilenceHasAReasonToo) {
  EXPECT_EQ(messages(check("exit 7")), Texts{"`exit 7` exited with 7 and said nothing"});
}

TEST(CommandCheck, OneThatDoesNotEndCannotTell) {
  SystemRunner runner;
  CommandCheck evaluator({.run = "sleep 1000", .timeout = std::chrono::milliseconds(50)}, runner);
  const auto evaluation = evaluation_of(evaluator, "x");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown);
  EXPECT_EQ(evaluation.error,
            "the check `sleep 1000` did not end within 50 ms; give it a longer `timeout`");
}

TEST(CommandCheck, AMissingDirectoryIsAFailureOfTheCheck) {
  SystemRunner runner;
  CommandCheck evaluator({.run = "true", .directory = "/no/such/place"}, runner);
  EXPECT_THROW(evaluation_of(evaluator, "x"), Error);
}

TEST(CommandCheck, NeedsACommand) {
  SystemRunner runner;
  EXPECT_THROW(CommandCheck({.run = " "}, runner), Error);
}

struct ReportCase {
  std::string output;
  std::optional<double> score;
  Texts issues;
};
TEST(CommandReport, ReadsJsonStrictly) {
  const ReportCase cases[] = {
      {R"({"score": 0.4, "issues": ["a", "b"]})", 0.4, {"a", "b"}},
      {"noise\n{\"score\": 0, \"errors\": [{\"message\": \"m\"}]}\n", 0.0, {"m"}},
      {"{\n \"score\": 0.25,\n \"reason\": \"r\"\n}", 0.25, {"r"}},
      {R"({"score": 1, "reason": "r"})", {}, {"r"}},       // It failed.
      {R"({"score": 1.5, "reason": "r"})", {}, {"r"}},     // Never clamped.
      {R"({"score": -0.1, "reason": "r"})", {}, {"r"}},    //
      {R"({"score": "0.4", "reason": "r"})", {}, {"r"}},   // A text is not a number.
      {R"({"score": true, "reason": "r"})", {}, {"r"}},    //
      {R"({"score": null, "feedback": "f"})", {}, {"f"}},  //
      {R"({"score": 0.5})", 0.5, {R"({"score": 0.5})"}},   // What it said is all there is.
      {R"({"errors": "only one"})", {}, {"only one"}},
      {R"({"issues": [], "reason": "r"})", {}, {"r"}},
      {R"({"issues": [{"code": 7}]})", {}, {R"({"code":7})"}},
      {R"(["a"])", {}, {R"(["a"])"}},
      {"plain", {}, {"plain"}}};
  for (const ReportCase& test : cases) {
    core::ProcessResult result;
    result.output = test.output;
    const Report report = report_of(result);
    ASSERT_EQ(report.score.has_value(), test.score.has_value()) << test.output;
    if (test.score) EXPECT_EQ(report.score->value(), *test.score) << test.output;
    core::Evaluation evaluation;
    evaluation.issues = report.issues;
    EXPECT_EQ(messages(evaluation), test.issues) << test.output;
  }
}

TEST(CommandReport, KeepsPlacesOfIssues) {
  core::ProcessResult result;
  result.output = R"({"errors": [
    {"message": "a", "path": "/x/0", "kind": "sum", "line": 3, "severity": "warning"},
    {"message": "b", "path": "x.0.y", "line": "3", "severity": 1}],
    "suggestions": ["s", 5]})";
  const Report report = report_of(result);
  ASSERT_EQ(report.issues.size(), 2U);
  EXPECT_EQ(report.issues[0].path, "/x/0");
  EXPECT_EQ(report.issues[0].kind, "sum");
  EXPECT_EQ(report.issues[0].line, 3);
  EXPECT_EQ(report.issues[0].severity, core::Severity::Warning);
  EXPECT_EQ(report.issues[1].path, "/x/0/y");
  EXPECT_EQ(report.issues[1].kind, "command");
  EXPECT_EQ(report.issues[1].line, std::nullopt);
  EXPECT_EQ(report.suggestions, Texts{"s"});
}

TEST(CommandReport, OfManyLinesTheFirstAndTheLastAreKept) {
  core::ProcessResult result;
  for (int i = 1; i <= 100; ++i) result.output += std::to_string(i) + "\n";
  const Report report = report_of(result);
  ASSERT_EQ(report.issues.size(), kMostIssues);
  EXPECT_EQ(report.issues.front().message, "1");
  EXPECT_EQ(report.issues[9].message, "10");
  EXPECT_EQ(report.issues[10].message, "… 81 lines are left out");
  EXPECT_EQ(report.issues[11].message, "92");
  EXPECT_EQ(report.issues.back().message, "100");
}

}  // namespace
}  // namespace hone::evaluate
