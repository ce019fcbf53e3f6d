// The check `tests`: snippets that are run against the code that a model wrote.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/core/code.h"
#include "hone/core/effects.h"
#include "hone/core/roles.h"

namespace hone::evaluate {

struct TestsOptions {
  std::vector<std::string> tests;  // At least one.
  std::string setup;               // Runs after the code and before each test.
  std::string language = "python";
  // How a test of another language is run: a shell command in which {file} stands for a file with
  // the code and the test. Empty: Python in the sandbox.
  std::string command;
  std::string directory;                                        // Where the command runs.
  core::CodeLimits limits{.timeout = std::chrono::seconds(5)};  // Of each test.
  std::optional<Score> threshold;  // Share of tests that is enough; absent: all.
  // Counts, and is never told: no issue says which test failed or how.
  bool hidden = false;
  // The whole output is code, nothing is taken out of fences.
  bool code_only = false;
  std::string shared = {};  // See CodeRequest.
};

struct TestOutcome {
  std::string test;
  bool passed = false;
  std::string output;  // Of a failed one: what its left side was, the error, or TIMEOUT.
};

// "Tested passed:", a line for each passing test, an empty line, "Tests failed:", a line
// `<test> # output: <value>` for each failing one: the form of the Reflexion paper's programming
// loop (github.com/noahshinn/reflexion, MIT).
std::string feedback(const std::vector<TestOutcome>& outcomes);

// The tests in a file of Python: every top-level `assert` and every function `test…`; all else runs
// before each of them. A file without either is one test.
struct TestFile {
  std::string setup;
  std::vector<std::string> tests;
};
TestFile tests_in_file(std::string_view text);

// Runs every test in a process of its own. The score is the share that passed; a failure has one
// issue, the feedback. Code that crashes, exits or does not end fails its test.
class TestsCheck final : public core::Evaluator {
 public:
  // Both outlive the check. Throws InvalidInput for no tests.
  TestsCheck(TestsOptions options, core::CodeRunner& code, core::Runner& processes);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  async<void> run_test(core::Context context, std::string code, std::size_t index,
                       std::vector<TestOutcome>& outcomes);
  async<TestOutcome> run_python(core::Context context, std::string code, std::string test);
  async<TestOutcome> run_command(core::Context context, std::string code, std::string test);
  core::Evaluation evaluation_of(const std::vector<TestOutcome>& outcomes) const;
  core::Evaluation judged(const std::vector<TestOutcome>& outcomes) const;

  TestsOptions options_;
  core::CodeRunner& code_;
  core::Runner& processes_;
};

}  // namespace hone::evaluate
