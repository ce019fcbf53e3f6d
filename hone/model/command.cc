#include "hone/model/command.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::model {
namespace {

constexpr std::size_t kLongestReply = 8 * 1024 * 1024;

std::string prompt_of(const core::ModelRequest& request) {
  std::vector<std::string> texts;
  for (const core::Message& message : request.messages) texts.push_back(message.text);
  return join(texts, "\n\n");
}

core::ProcessRequest process_for(const std::string& command, const core::ModelRequest& request) {
  core::ProcessRequest process;
  process.command = command;
  process.input = prompt_of(request);
  process.environment["HONE_ATTEMPT"] = std::to_string(request.attempt);
  if (request.attempt > 1 && !request.messages.empty()) {
    process.files["HONE_FEEDBACK_FILE"] = request.messages.back().text;
  }
  process.output_limit = kLongestReply;
  process.role = request.role;
  return process;
}

// Without the newline that a command ends its output with.
std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

std::string last_line(std::string_view text) {
  text = trim(text);
  const auto end = text.rfind('\n');
  return one_line(end == std::string_view::npos ? text : text.substr(end + 1), 300);
}

}  // namespace

CommandModel::CommandModel(std::string command, core::Runner& runner, Duration timeout)
    : command_(std::move(command)), runner_(runner), timeout_(timeout) {}

async<core::ModelReply> CommandModel::complete(core::Context context,
                                               const core::ModelRequest& request) {
  core::ProcessRequest process = process_for(command_, request);
  process.timeout = timeout_;
  core::ProcessResult result = co_await runner_.run(context.at("process"), process);
  if (!result.succeeded()) throw failure_of(result);
  core::ModelReply reply = reply_of(process, std::move(result));
  if (request.drafts) context.emit(core::Draft{request.attempt, reply.text});
  co_return reply;
}

core::ModelReply CommandModel::reply_of(const core::ProcessRequest& request,
                                        core::ProcessResult result) const {
  core::ModelReply reply;
  reply.finish = result.truncated ? core::Finish::Length : core::Finish::Complete;
  reply.text = without_newline(std::move(result.output));
  reply.model = name();
  reply.usage = {.calls = 1,
                 .input = core::estimate_tokens(request.input),
                 .output = core::estimate_tokens(reply.text),
                 .estimated = true};
  return reply;
}

Error CommandModel::failure_of(const core::ProcessResult& result) const {
  const std::string command = one_line(command_, 80);
  if (result.timed_out) {
    return {ErrorKind::DeadlineExceeded, fmt::format("the model command `{}` did not end within {}",
                                                     command, show_duration(timeout_))};
  }
  const std::string end = result.exit_code
                              ? fmt::format("ended with code {}", *result.exit_code)
                              : fmt::format("was ended by signal {}", result.signal.value_or(0));
  const std::string line = last_line(result.errors);
  return {
      ErrorKind::Unavailable,
      fmt::format("the model command `{}` {}{}{}", command, end, line.empty() ? "" : ": ", line),
      "run it by hand with a prompt on its stdin"};
}

}  // namespace hone::model
