#include <nlohmann/json.hpp>

#include "hone/base/text.h"
#include "hone/model/anthropic_json.h"
#include "hone/model/anthropic_wire.h"
#include "hone/model/http_failure.h"
#include "hone/model/json_at.h"

namespace hone::model {

std::string AnthropicReader::feed(std::string_view bytes) {
  std::string added;
  for (const auto& event : parser_.feed(bytes)) added += take(event);
  return added;
}

std::string AnthropicReader::take(const net::ServerSentEvent& event) {
  const std::string data = to_utf8(event.data);
  const auto json = try_parse_json(data);
  if (!json || !json->is_object()) throw not_json("an event of the stream", data);
  throw_carried_error(*json);
  const std::string type = text_at(*json, "type");
  if (type == "content_block_start") return begin_block(*json);
  if (type == "content_block_delta") return add_to_block(*json);
  if (type == "message_delta") end_message(*json);
  if (type == "message_stop") is_done_ = true;
  const Json* message = type == "message_start" ? object_at(*json, "message") : nullptr;
  if (message != nullptr) {
    answer_.model = text_at(*message, "model");
    take_usage(*message, answer_);
  }
  return {};
}

std::string AnthropicReader::begin_block(const Json& event) {
  const Json* block = object_at(event, "content_block");
  if (block == nullptr) return {};
  if (text_at(*block, "type") == "tool_use") {
    auto& place = calls_[count_at(event, "index").value_or(0)];
    const std::string name = text_at(*block, "name");
    if (name == kOutputTool) return {};
    place = answer_.tool_calls.size();
    answer_.tool_calls.push_back({text_at(*block, "id"), name, {}});
    return {};
  }
  std::string added = text_at(*block, "type") == "text" ? text_at(*block, "text") : std::string();
  answer_.text += added;
  return added;
}

std::string AnthropicReader::add_to_block(const Json& event) {
  const Json* delta = object_at(event, "delta");
  if (delta == nullptr) return {};
  const std::string type = text_at(*delta, "type");
  std::string added;
  if (type == "text_delta") added = text_at(*delta, "text");
  if (type == "input_json_delta") {
    const auto call = calls_.find(count_at(event, "index").value_or(0));
    const std::string piece = text_at(*delta, "partial_json");
    if (call == calls_.end()) return {};
    if (call->second) {
      answer_.tool_calls[*call->second].arguments.text += piece;
      return {};
    }
    added = piece;
  }
  answer_.text += added;
  return added;
}

void AnthropicReader::end_message(const Json& event) {
  take_usage(event, answer_);
  if (const Json* delta = object_at(event, "delta")) take_stop(*delta, answer_);
  for (core::ToolCall& call : answer_.tool_calls) {
    if (call.arguments.text.empty()) call.arguments.text = "{}";  // A tool without arguments.
  }
  if (answer_.ending == Ending::ToolCalls && answer_.tool_calls.empty()) {
    answer_.ending = Ending::Complete;  // The output tool alone was called.
  }
}

}  // namespace hone::model
