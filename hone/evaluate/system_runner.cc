#include "hone/evaluate/system_runner.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/process/process.h"

namespace hone::evaluate {
namespace {

Error too_late(const core::ProcessRequest& request) {
  return {
      ErrorKind::DeadlineExceeded,
      fmt::format("the time of the run was over before `{}` ended", one_line(request.command, 80)),
      "give the run more time"};
}

// Absent: the run has all the time the request wants.
std::optional<Duration> shortened(const core::Context& context,
                                  const core::ProcessRequest& request) {
  if (!context.deadline) return std::nullopt;
  const Duration left = *context.deadline - context.clock->now();
  if (left <= Duration::zero()) throw too_late(request);
  if (left >= request.timeout) return std::nullopt;
  return left;
}

process::ProcessOptions options_of(const core::ProcessRequest& request) {
  process::ProcessOptions options;
  options.command = request.command;
  options.input = request.input;
  options.directory = request.directory;
  options.environment = request.environment;
  options.files = request.files;
  options.timeout = request.timeout;
  options.output_limit = request.output_limit;
  return options;
}

core::ProcessResult result_of(process::Ended ended) {
  core::ProcessResult result;
  result.exit_code = ended.exit_code;
  result.signal = ended.signal;
  result.timed_out = ended.timed_out;
  result.output = std::move(ended.output);
  result.errors = std::move(ended.errors);
  result.truncated = ended.truncated;
  return result;
}

}  // namespace

async<core::ProcessResult> SystemRunner::run(core::Context context,
                                             const core::ProcessRequest& request) {
  const auto left = shortened(context, request);
  process::ProcessOptions options = options_of(request);
  if (left) options.timeout = *left;
  process::Ended ended = co_await process::run_process(std::move(options));
  if (left && ended.timed_out) throw too_late(request);
  co_return result_of(std::move(ended));
}

}  // namespace hone::evaluate
