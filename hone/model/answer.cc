#include "hone/model/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "hone/base/text.h"
#include "hone/core/paid_error.h"
#include "hone/model/choice_probability.h"

namespace hone::model {
namespace {

constexpr std::size_t kShown = 200;  // Characters of a refusal in a message.

bool is_refused(const Answer& answer) {
  return !answer.refusal.empty() || answer.ending == Ending::Refused ||
         (answer.ending == Ending::Filtered && answer.text.empty());
}

bool is_empty(const Answer& answer) {
  const bool should_be_whole = answer.ending == Ending::Complete || answer.ending == Ending::Untold;
  return should_be_whole && answer.tool_calls.empty() && trim(answer.text).empty();
}

Error refused(const Answer& answer) {
  const std::string reason = answer.refusal.empty() ? "its policy" : answer.refusal;
  return {ErrorKind::Refused,
          fmt::format("the provider declined to answer: {}", one_line(reason, kShown)),
          "word the task differently or ask another model"};
}

core::Finish finish_of(const Answer& answer, const core::ModelRequest& request) {
  const bool calls_tools = !request.tools.empty() && !answer.tool_calls.empty();
  switch (answer.ending) {
    case Ending::Length:
      return core::Finish::Length;
    case Ending::ToolCalls:
      return calls_tools ? core::Finish::Complete : core::Finish::Interrupted;
    case Ending::Filtered:
    case Ending::Refused:
    case Ending::Interrupted:
      return core::Finish::Interrupted;
    case Ending::Untold:
    case Ending::Complete:
      break;
  }
  return core::Finish::Complete;
}

Tokens estimated_answer(const Answer& answer) {
  Tokens tokens = core::estimate_tokens(answer.text);
  for (const core::ToolCall& call : answer.tool_calls) {
    tokens += core::estimate_tokens(call.name);
    tokens += core::estimate_tokens(call.arguments.text);
  }
  return tokens;
}

}  // namespace

Tokens estimated_prompt(const core::ModelRequest& request) {
  Tokens tokens;
  for (const core::Message& message : request.messages) {
    tokens += core::estimate_tokens(message.text);
    for (const core::ToolCall& call : message.tool_calls) {
      tokens += core::estimate_tokens(call.arguments.text);
    }
  }
  for (const core::Tool& tool : request.tools) {
    tokens += core::estimate_tokens(tool.description);
    tokens += core::estimate_tokens(tool.schema.text);
  }
  return tokens;
}

core::Usage cost_of(const Answer& answer, const core::ModelRequest& request) {
  if (answer.usage) return *answer.usage;
  core::Usage estimate{.calls = 1, .estimated = true};
  estimate.input = estimated_prompt(request);
  estimate.output = estimated_answer(answer);
  return estimate;
}

core::Usage cost_of_part(const Answer& answer, const core::ModelRequest& request) {
  core::Usage usage = cost_of(answer, request);
  usage.output = std::max(usage.output, estimated_answer(answer));
  usage.estimated = true;
  return usage;
}

core::ModelReply reply_of(const Answer& answer, const core::ModelRequest& request) {
  const core::Usage usage = cost_of(answer, request);
  if (is_refused(answer)) throw core::PaidError(refused(answer), usage);
  if (is_empty(answer)) {
    const Error nothing(ErrorKind::Unavailable, "the model answered with nothing",
                        "try again, raise --max-tokens, or ask another model");
    throw core::PaidError(nothing, usage);
  }
  core::ModelReply reply;
  reply.text = answer.text;
  reply.finish = finish_of(answer, request);
  reply.model = answer.model;
  reply.usage = usage;
  reply.tool_calls = answer.tool_calls;
  reply.probabilities = choice_probabilities(request.choices, answer.tokens);
  return reply;
}

}  // namespace hone::model
