#include "hone/evaluate/command.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/command_report.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kShownColumns = 80;
// Exit codes of POSIX shells.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
constexpr int kSignalled = 128;  // And the number of the signal.
constexpr int kLastSignal = 31;

std::optional<int> signal_of(const core::ProcessResult& result) {
  if (result.signal) return result.signal;
  const int code = result.exit_code.value_or(0);
  const bool reported = code > kSignalled && code <= kSignalled + kLastSignal;
  return reported ? std::optional(code - kSignalled) : std::nullopt;
}

std::string said(const core::ProcessResult& result) {
  const std::string line = one_line(result.errors, 200);
  return line.empty() ? "" : fmt::format(" ({})", line);
}

// Why the program's end says nothing about the output; absent when it does.
std::optional<std::string> trouble(const core::ProcessResult& result,
                                   const CommandOptions& options) {
  const std::string name = one_line(options.run, kShownColumns);
  if (result.timed_out) {
    return fmt::format("the check `{}` did not end within {}; give it a longer `timeout`", name,
                       show_duration(options.timeout));
  }
  if (result.exit_code == kNotFound || result.exit_code == kNotExecutable) {
    return fmt::format("the check `{}` could not be started{}; check its name and its path", name,
                       said(result));
  }
  if (const auto signal = signal_of(result)) {
    return fmt::format("the check `{}` was ended by signal {}{}", name, *signal, said(result));
  }
  return std::nullopt;
}

core::Issue silent_failure(const core::ProcessResult& result, const CommandOptions& options) {
  core::Issue issue;
  issue.kind = "command";
  issue.message = fmt::format("`{}` exited with {} and said nothing",
                              one_line(options.run, kShownColumns), result.exit_code.value_or(1));
  return issue;
}

core::Evaluation failure(const core::ProcessResult& result, const CommandOptions& options) {
  Report report = report_of(result);
  if (report.issues.empty()) report.issues.push_back(silent_failure(result, options));
  auto evaluation = core::failed(report.score.value_or(Score(0.0)), std::move(report.issues));
  evaluation.suggestions = std::move(report.suggestions);
  return evaluation;
}

}  // namespace

CommandCheck::CommandCheck(CommandOptions options, core::Runner& runner)
    : options_(std::move(options)), runner_(runner) {
  if (!trim(options_.run).empty()) return;
  throw Error(ErrorKind::InvalidInput, "the check `command` has no command",
              "give `run`, such as `python3 check.py`");
}

core::ProcessRequest CommandCheck::request_for(const core::Output& output) const {
  core::ProcessRequest request;
  request.command = options_.run;
  request.directory = options_.directory;
  request.timeout = options_.timeout;
  request.input = output.text;
  request.files = {{"HONE_OUTPUT_FILE", output.text}};
  request.role = core::Role::Evaluate;
  return request;
}

async<core::Evaluation> CommandCheck::evaluate(core::Context context, const core::Run&,
                                               const core::Output& output) {
  const core::ProcessRequest request = request_for(output);
  const core::ProcessResult result = co_await runner_.run(context.at("run"), request);
  if (auto reason = trouble(result, options_)) co_return core::unknown(*std::move(reason));
  co_return result.succeeded() ? core::passed() : failure(result, options_);
}

}  // namespace hone::evaluate
