#include "hone/evaluate/tests_check.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"
#include "hone/evaluate/fences.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

using core::CodeEnd;
using core::CodeResult;
using core::CodeUse;

// Passes tests that contain "good"; the value of others is "41".
class FakeCode final : public core::CodeRunner {
 public:
  async<CodeResult> run(core::Context, const core::CodeRequest& request) override {
    asked.push_back(request);
    CodeResult result;
    if (request.use == CodeUse::Value) {
      result.value = JsonText{"\"41\""};
    } else if (request.test.find("slow") != std::string::npos) {
      result.end = CodeEnd::TimedOut;
    } else if (request.test.find("good") == std::string::npos) {
      result.end = CodeEnd::Raised;
    }
    co_return result;
  }
  std::vector<core::CodeRequest> asked;
};

class FakeProcesses final : public core::Runner {
 public:
  async<core::ProcessResult> run(core::Context, const core::ProcessRequest& request) override {
    asked.push_back(request);
    core::ProcessResult result;
    result.exit_code = request.files.at("HONE_TEST_FILE").find("good") == std::string::npos ? 1 : 0;
    result.errors = "at line 3\nError: no\n";
    co_return result;
  }
  std::vector<core::ProcessRequest> asked;
};

core::Evaluation tested(TestsOptions options) {
  FakeCode code;
  FakeProcesses processes;
  TestsCheck check(std::move(options), code, processes);
  return evaluation_of(check, "def f(): pass");
}

TEST(TestsCheck, ScoresTheShareAndTellsTheFailuresInThePapersForm) {
  const auto evaluation = tested({.tests = {"assert good", "assert f() == 42", "assert slow"}});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_NEAR(evaluation.score->value(), 1.0 / 3, 1e-9);
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].message,
            "Tested passed:\nassert good\n\nTests failed:\nassert f() == 42 # output: 41\n"
            "assert slow # output: TIMEOUT");
}

TEST(TestsCheck, PassesWithAllOrWithTheShareThatIsEnough) {
  EXPECT_EQ(tested({.tests = {"good", "good 2"}}).outcome, core::Outcome::Passed);
  EXPECT_EQ(tested({.tests = {"good", "bad"}, .threshold = Score(0.5)}).outcome,
            core::Outcome::Passed);
}

TEST(TestsCheck, HiddenTestsSayNothing) {
  const auto evaluation = tested({.tests = {"good", "assert f() == 42"}, .hidden = true});
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  EXPECT_TRUE(evaluation.issues.empty());
  EXPECT_TRUE(evaluation.suggestions.empty());
  EXPECT_EQ(evaluation.error, std::nullopt);
}

TEST(TestsCheck, RunsOtherLanguagesByACommand) {
  FakeCode code;
  FakeProcesses processes;
  TestsCheck check({.tests = {"good()", "other()"},
                    .setup = "setup()",
                    .language = "javascript",
                    .command = "node {file}"},
                   code, processes);
  const auto evaluation = evaluation_of(check, "```js\nfunction good() {}\n```");
  EXPECT_TRUE(code.asked.empty());
  ASSERT_EQ(processes.asked.size(), 2U);
  EXPECT_EQ(processes.asked[0].command, "node \"$HONE_TEST_FILE\"");
  EXPECT_EQ(processes.asked[1].files.at("HONE_TEST_FILE"),
            "function good() {}\n\nsetup()\nother()\n");
}

TEST(TestsCheck, WithoutTestsIsAnError) {
  FakeCode code;
  FakeProcesses processes;
  EXPECT_THROW(TestsCheck({}, code, processes), Error);
}

TEST(TestFiles, AreTakenApartIntoAssertsAndTestFunctions) {
  const TestFile file = tests_in_file(
      "import math\n\nN = [\n  1,\n]\nassert f(1) == 2\n\n@mark\ndef helper(x):\n    return x\n\n"
      "def test_more():\n    assert f(2) == 3\n\nassert f(\n  3\n) == 4\ndef test_with(fixture):\n"
      "    pass\n");
  EXPECT_EQ(file.tests,
            (std::vector<std::string>{"assert f(1) == 2",
                                      "def test_more():\n    assert f(2) == 3\ntest_more()",
                                      "assert f(\n  3\n) == 4"}));
  EXPECT_NE(file.setup.find("@mark\ndef helper(x):\n    return x"), std::string::npos);
  EXPECT_NE(file.setup.find("N = [\n  1,\n]"), std::string::npos);
  EXPECT_EQ(tests_in_file("check(f)").tests, std::vector<std::string>{"check(f)"});
}

struct FenceCase {
  const char* name;
  const char* text;
  const char* code;
};

TEST(Fences, GiveTheCode) {
  const FenceCase cases[] = {
      {"bare", "def f(): pass\n", "def f(): pass\n"},
      {"fenced", "Here:\n```python\ndef f(): pass\n```\nDone.", "def f(): pass\n"},
      {"without a language", "```\ndef f(): pass\n```", "def f(): pass\n"},
      {"another language first", "```bash\npip install x\n```\n```py\ndef f(): pass\n```",
       "def f(): pass\n"},
      {"an example after it", "```python\ndef f(): pass\n```\n```python\nprint(f())\n```",
       "def f(): pass\n"},
      {"a helper and the function",
       "```python\ndef g(): pass\n```\nand\n```python\ndef f(): g()\n```",
       "def g(): pass\ndef f(): g()\n"},
      {"unclosed", "```python\ndef f(): pass", "def f(): pass\n"},
      {"tildes", "~~~python\ndef f(): pass\n~~~", "def f(): pass\n"},
      {"longer outside", "````python\ndef f():\n    '''\n```\n'''\n````",
       "def f():\n    '''\n```\n'''\n"},
      {"indented in a list", "1. So:\n   ```python\n   def f():\n       pass\n   ```",
       "def f():\n    pass\n"},
      {"attributes", "```python {.line}\ndef f(): pass\n```", "def f(): pass\n"},
      {"upper case", "```Python\ndef f(): pass\n```", "def f(): pass\n"},
      {"prose and no fence", "Sure, here it is:\ndef f(): pass", "def f(): pass"},
      {"no definition", "```python\nx = 1\n```", "x = 1\n"},
      {"code in a line", "Use ```f()``` so:\n```python\ndef f(): pass\n```", "def f(): pass\n"},
      {"nothing", "", ""},
  };
  for (const FenceCase& c : cases) EXPECT_EQ(code_in(c.text, "python"), c.code) << c.name;
}

}  // namespace
}  // namespace hone::evaluate
