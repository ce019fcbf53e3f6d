#include "hone/evaluate/test_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "hone/base/text.h"
#include "hone/evaluate/command_report.h"

namespace hone::evaluate {
namespace {

namespace fs = std::filesystem;
// Beside each NAME.txt, which a runner printed, NAME.expected has a sentence for each failure.
const fs::path kReports = "hone/evaluate/reports";

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string read(const std::string& text) {
  std::string found;
  for (const TestFailure& failure : failing_tests(text)) found += sentence(failure) + "\n";
  return found;
}

TEST(TestReport, NamesEveryFailingTestOfEveryRunner) {
  std::set<std::string> runners;
  for (const auto& entry : fs::directory_iterator(kReports)) {
    if (entry.path().extension() != ".txt") continue;
    fs::path expected = entry.path();
    expected.replace_extension(".expected");
    const std::string found = read(content(entry.path()));
    if (std::getenv("HONE_UPDATE_GOLDEN") != nullptr) std::ofstream(expected) << found;
    EXPECT_EQ(found, content(expected)) << entry.path();
    runners.insert(split(entry.path().stem().string(), '_').front());
  }
  EXPECT_EQ(runners, (std::set<std::string>{"cargo", "ctest", "go", "node", "pytest", "tap"}));
}

TEST(TestReport, ReadsColouredOutputToo) {
  EXPECT_EQ(read("1..1\r\n\x1b[31;1mnot ok 1 - adds\x1b[0m\r\n"), "`adds` failed\n");
}

TEST(TestReport, FindsNothingInOtherText) {
  for (const char* text :
       {"", "\n", "not ok", "FAILED", "error: no", "--- FAIL", "1..", "test at x\n✖ y",
        "✖ failing tests:", "✖ failing tests:\ntest at x:1:1", "ok 1\nnot a test"}) {
    EXPECT_EQ(read(text), "") << text;
  }
}

TEST(TestReport, ReadsWhatOlderRustPrints) {
  EXPECT_EQ(read("---- tests::adds stdout ----\n"
                 "thread 'tests::adds' panicked at 'no, never', src/lib.rs:16:9\nnote: run with\n"),
            "`tests::adds` failed at src/lib.rs:16: no, never\n");
}

TEST(TestReport, JoinsTheRemarksOnStderrToTheirTests) {
  const std::string output = content(kReports / "tap_bare.txt");
  core::ProcessResult result;
  result.output = output;
  result.errors = "#   Failed test 'adds'\n#   at a.t line 4.\n#          got: '4'\n";
  const Report report = report_of(result);
  ASSERT_GE(report.issues.size(), 1U);
  EXPECT_EQ(report.issues[0].message, "`adds` failed at a.t:4: got: '4'");
  EXPECT_EQ(report.issues[0].kind, "command");
}

TEST(TestReport, FiftyAreEnough) {
  core::ProcessResult result;
  result.output = "1..60\n";
  for (int i = 1; i <= 60; ++i) result.output += fmt::format("not ok {} - test {}\n", i, i);
  const Report report = report_of(result);
  ASSERT_EQ(report.issues.size(), kMostTests + 1);
  EXPECT_EQ(report.issues[49].message, "`test 50` failed");
  EXPECT_EQ(report.issues[50].message, "… and 10 more");
}

// Pieces of all formats in any order: whatever a program prints, reading it ends and harms nothing.
RC_GTEST_PROP(TestReport, SurvivesAnyText, ()) {
  static const std::vector<std::string> kPieces = {"1..2",
                                                   "not ok 1 - a",
                                                   "  not ok",
                                                   "  ---",
                                                   "  ...",
                                                   "  stack: |-",
                                                   "    (a.js:1:2)",
                                                   "# Failed test 'a'",
                                                   "#   at x line 1.",
                                                   "Bail out!",
                                                   "✖ failing tests:",
                                                   "test at a.js:1:1",
                                                   "✖ a (1ms)",
                                                   "--- FAIL: T (0s)",
                                                   "=== RUN   T",
                                                   "=== ",
                                                   "--- ",
                                                   "# pkg",
                                                   "./a.go:1:2: x",
                                                   "\ta_test.go:7 +0x",
                                                   "panic: x",
                                                   "FAIL\tx",
                                                   "---- a stdout ----",
                                                   "thread 'a' panicked at ",
                                                   "panicked at 'x', ",
                                                   "error: x",
                                                   " --> a.rs:1:1",
                                                   "The following tests FAILED:",
                                                   " 1 - a (Failed)",
                                                   "1/5 Test #1: a ***Failed 0 sec",
                                                   "=== FAILURES ===",
                                                   "___ a ___",
                                                   "_ _",
                                                   "_",
                                                   "E   x",
                                                   "FAILED a.py::b - c",
                                                   "a.py:9: x",
                                                   "---- ",
                                                   "test  ... FAILED",
                                                   " - (",
                                                   ""};
  const auto lines = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
  for (const TestFailure& failure : failing_tests(join(lines, "\n"))) {
    RC_ASSERT(width(failure.message) <= 300U);
  }
}

}  // namespace
}  // namespace hone::evaluate
