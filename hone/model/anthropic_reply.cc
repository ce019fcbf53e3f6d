#include <algorithm>
#include <nlohmann/json.hpp>

#include "hone/base/text.h"
#include "hone/model/anthropic_json.h"
#include "hone/model/anthropic_wire.h"
#include "hone/model/http_failure.h"
#include "hone/model/json_at.h"

namespace hone::model {
namespace {

bool says_json(const net::HttpResponse& response) {
  return lower(response.header("content-type").value_or("")).find("json") != std::string::npos;
}

void take_block(const Json& block, Answer& answer) {
  const std::string type = text_at(block, "type");
  if (type == "text") answer.text += text_at(block, "text");
  if (type != "tool_use") return;
  const std::string input = raw_at(block, "input");
  if (text_at(block, "name") == kOutputTool) {
    answer.text += input;
  } else {
    answer.tool_calls.push_back({text_at(block, "id"), text_at(block, "name"), {input}});
  }
}

}  // namespace

// `input_tokens` leaves out what came from the cache and what went into it.
void take_usage(const Json& object, Answer& answer) {
  const Json* told = object_at(object, "usage");
  if (told == nullptr) return;
  core::Usage usage = answer.usage.value_or(core::Usage{.calls = 1});
  const std::int64_t fresh = usage.input.count - usage.cached.count - usage.cache_written.count;
  usage.cached.count = count_at(*told, "cache_read_input_tokens").value_or(usage.cached.count);
  usage.cache_written.count =
      count_at(*told, "cache_creation_input_tokens").value_or(usage.cache_written.count);
  usage.input.count = count_at(*told, "input_tokens").value_or(fresh) + usage.cached.count +
                      usage.cache_written.count;
  usage.output.count = count_at(*told, "output_tokens").value_or(usage.output.count);
  if (const Json* details = object_at(*told, "output_tokens_details")) {
    const auto thinking = count_at(*details, "thinking_tokens");
    usage.reasoning.count = std::min(thinking.value_or(usage.reasoning.count), usage.output.count);
  }
  if (usage.total().count > 0) answer.usage = usage;
}

Ending anthropic_ending(const std::string& stop_reason) {
  if (stop_reason.empty()) return Ending::Untold;
  if (stop_reason == "end_turn" || stop_reason == "stop_sequence") return Ending::Complete;
  if (stop_reason == "max_tokens" || stop_reason == "model_context_window_exceeded") {
    return Ending::Length;
  }
  if (stop_reason == "tool_use") return Ending::ToolCalls;
  if (stop_reason == "refusal") return Ending::Refused;
  return Ending::Interrupted;  // pause_turn, and what is not known yet.
}

void take_stop(const Json& object, Answer& answer) {
  const Ending ending = anthropic_ending(text_at(object, "stop_reason"));
  if (ending != Ending::Untold) answer.ending = ending;
  const Json* details = object_at(object, "stop_details");
  if (ending == Ending::Refused && details != nullptr) {
    answer.refusal = text_at(*details, "explanation");
  }
}

Answer AnthropicReader::read(const net::HttpResponse& response) const {
  const Json reply = reply_json(response.body, says_json(response));
  throw_carried_error(reply);
  const Json* content = array_at(reply, "content");
  if (content == nullptr) {
    throw Error(ErrorKind::Corrupt, "the reply has no content: " + one_line(response.body, 80),
                "check that the base URL is that of the Anthropic API");
  }
  Answer answer;
  answer.model = text_at(reply, "model");
  take_usage(reply, answer);
  take_stop(reply, answer);
  for (const Json& block : *content) take_block(block, answer);
  if (answer.ending == Ending::ToolCalls && answer.tool_calls.empty()) {
    answer.ending = Ending::Complete;  // The output tool alone was called.
  }
  return answer;
}

}  // namespace hone::model
