#include "hone/evaluate/tests_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/async/group.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/fences.h"

namespace hone::evaluate {
namespace {

using core::CodeEnd;
using core::CodeRequest;
using core::CodeResult;

constexpr std::size_t kAtOnce = 4;
constexpr std::string_view kTimeOut = "TIMEOUT";
constexpr std::size_t kOutputColumns = 400;

std::string text_from(const CodeResult& result) {
  if (result.end == CodeEnd::TimedOut) return std::string(kTimeOut);
  if (result.end == CodeEnd::TooLong) return "an output that is too long";
  const auto value = result.value ? try_parse_json(result.value->text) : std::optional<Json>();
  if (value && value->is_string()) return value->get<std::string>();
  return result.message;
}

// What a command says of a failed test: the last line of its errors, or of its output.
std::string text_from(const core::ProcessResult& result) {
  if (result.timed_out) return std::string(kTimeOut);
  for (const std::string* text : {&result.errors, &result.output}) {
    const std::string_view said = trim(*text);
    if (!said.empty()) return one_line(said.substr(said.rfind('\n') + 1), kOutputColumns);
  }
  if (result.signal) return fmt::format("signal {}", *result.signal);
  return fmt::format("exit code {}", result.exit_code.value_or(1));
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace

std::string feedback(const std::vector<TestOutcome>& outcomes) {
  std::string text = "Tested passed:";
  for (const TestOutcome& outcome : outcomes) {
    if (outcome.passed) text += "\n" + outcome.test;
  }
  text += "\n\nTests failed:";
  for (const TestOutcome& outcome : outcomes) {
    if (!outcome.passed) text += fmt::format("\n{} # output: {}", outcome.test, outcome.output);
  }
  return text;
}

TestsCheck::TestsCheck(TestsOptions options, core::CodeRunner& code, core::Runner& processes)
    : options_(std::move(options)), code_(code), processes_(processes) {
  if (!options_.tests.empty()) return;
  throw Error(ErrorKind::InvalidInput, "the check `tests` has no tests",
              "give `run` a list of them");
}

async<core::Evaluation> TestsCheck::evaluate(core::Context context, const core::Run&,
                                             const core::Output& output) {
  const std::string code =
      options_.code_only ? output.text : code_in(output.text, options_.language);
  std::vector<TestOutcome> outcomes(options_.tests.size());
  const std::size_t at_once = options_.shared.empty() ? kAtOnce : 1;
  const auto start = [&](std::size_t index) { return run_test(context, code, index, outcomes); };
  co_await for_each_index(outcomes.size(), at_once, start);
  co_return evaluation_of(outcomes);
}

async<void> TestsCheck::run_test(core::Context context, std::string code, std::size_t index,
                                 std::vector<TestOutcome>& outcomes) {
  const core::Context place = context.at("test", static_cast<int>(index) + 1);
  const std::string test = options_.tests[index];
  TestOutcome outcome;
  if (options_.command.empty()) {
    outcome = co_await run_python(place, std::move(code), test);
  } else {
    outcome = co_await run_command(place, std::move(code), test);
  }
  outcomes[index] = std::move(outcome);
}

// The value is asked for in a process of its own: the failed test may have changed everything.
async<TestOutcome> TestsCheck::run_python(core::Context context, std::string code,
                                          std::string test) {
  CodeRequest request;
  request.use = core::CodeUse::Test;
  request.code = std::move(code);
  if (!options_.setup.empty()) request.code += "\n" + options_.setup;
  request.test = test;
  request.limits = options_.limits;
  request.shared = options_.shared;
  const CodeResult tested = co_await code_.run(context.at("run"), request);
  TestOutcome outcome;
  outcome.test = std::move(test);
  outcome.passed = tested.end == CodeEnd::Returned;
  if (outcome.passed) co_return outcome;
  const bool ends = tested.end == CodeEnd::Raised || !options_.shared.empty();
  if (!ends || options_.hidden) {
    outcome.output = text_from(tested);
    co_return outcome;
  }
  request.use = core::CodeUse::Value;
  const CodeResult value = co_await code_.run(context.at("output"), request);
  outcome.output = text_from(value);
  co_return outcome;
}

async<TestOutcome> TestsCheck::run_command(core::Context context, std::string code,
                                           std::string test) {
  core::ProcessRequest request;
  request.command = replaced(options_.command, "{file}", "\"$HONE_TEST_FILE\"");
  request.directory = options_.directory;
  request.timeout = options_.limits.timeout;
  request.output_limit = options_.limits.output;
  const std::string setup = options_.setup.empty() ? "" : options_.setup + "\n";
  request.files["HONE_TEST_FILE"] = code + "\n" + setup + test + "\n";
  const core::ProcessResult result = co_await processes_.run(context.at("run"), request);
  TestOutcome outcome;
  outcome.test = std::move(test);
  outcome.passed = result.succeeded();
  if (!outcome.passed) outcome.output = text_from(result);
  co_return outcome;
}

core::Evaluation TestsCheck::evaluation_of(const std::vector<TestOutcome>& outcomes) const {
  core::Evaluation evaluation = judged(outcomes);
  evaluation.samples = static_cast<int>(outcomes.size());
  return evaluation;
}

core::Evaluation TestsCheck::judged(const std::vector<TestOutcome>& outcomes) const {
  const auto count = static_cast<double>(outcomes.size());
  const auto passing = static_cast<double>(std::ranges::count_if(outcomes, &TestOutcome::passed));
  const Score score(passing / count);
  if (score.value() >= options_.threshold.value_or(Score(1.0)).value()) return core::passed(score);
  if (options_.hidden) return core::failed(score, {});
  core::Issue issue;
  issue.kind = "tests";
  issue.message = feedback(outcomes);
  return core::failed(score, {std::move(issue)});
}

}  // namespace hone::evaluate
