#include "hone/model/http_testing.h"

#include <nlohmann/json.hpp>

#include "hone/model/anthropic.h"
#include "hone/model/openai.h"

namespace hone::model {
namespace {

std::string event_line(const Json& data) { return "data: " + dump(data) + "\n\n"; }
std::string event_line(const std::string& name, Json data) {
  data["type"] = name;
  return "event: " + name + "\n" + event_line(data);
}

// --- OpenAI ---

std::string openai_reason(Ending ending) {
  if (ending == Ending::Length) return "length";
  if (ending == Ending::ToolCalls) return "tool_calls";
  return ending == Ending::Filtered ? "content_filter" : "stop";
}

Json openai_usage() {
  return {{"prompt_tokens", 9},
          {"completion_tokens", 5},
          {"prompt_tokens_details", {{"cached_tokens", 4}}}};
}

std::string openai_chunk(const Json& delta, const Json& reason = nullptr) {
  const Json choice = {{"index", 0}, {"delta", delta}, {"finish_reason", reason}};
  return event_line({{"model", "m-1"}, {"choices", Json::array({choice})}});
}

std::string openai_whole(const Spoken& spoken) {
  Json message = {{"role", "assistant"}, {"content", spoken.text()}};
  for (const core::ToolCall& call : spoken.calls) {
    const Json function = {{"name", call.name}, {"arguments", call.arguments.text}};
    message["tool_calls"].push_back(
        {{"id", call.id}, {"type", "function"}, {"function", function}});
  }
  if (spoken.ending == Ending::Refused) {
    message["content"] = nullptr;
    message["refusal"] = "I will not.";
  }
  const Json choice = {{"message", message}, {"finish_reason", openai_reason(spoken.ending)}};
  Json reply = {{"model", "m-1"}, {"choices", Json::array({choice})}};
  if (spoken.tells_usage) reply["usage"] = openai_usage();
  return dump(reply);
}

std::string openai_stream(const Spoken& spoken) {
  std::string stream = openai_chunk({{"role", "assistant"}, {"content", ""}});
  const bool refuses = spoken.ending == Ending::Refused;
  for (const std::string& piece : spoken.pieces) {
    stream += refuses ? openai_chunk({{"refusal", piece}}) : openai_chunk({{"content", piece}});
  }
  for (std::size_t i = 0; i < spoken.calls.size(); ++i) {
    const auto& [id, name, arguments] = spoken.calls[i];
    const std::size_t half = arguments.text.size() / 2;
    const Json first = {{"name", name}, {"arguments", arguments.text.substr(0, half)}};
    const Json second = {{"arguments", arguments.text.substr(half)}};
    const Json begin = {{"index", i}, {"id", id}, {"type", "function"}, {"function", first}};
    const Json end = {{"index", i}, {"function", second}};
    stream += openai_chunk({{"tool_calls", Json::array({begin})}});
    stream += openai_chunk({{"tool_calls", Json::array({end})}});
  }
  if (!spoken.error.empty()) {
    return stream + event_line(Json{{"error", {{"type", spoken.error}, {"message", "too bad"}}}});
  }
  stream += openai_chunk(Json::object(), openai_reason(spoken.ending));
  if (spoken.tells_usage) {
    stream += event_line(Json{{"choices", Json::array()}, {"usage", openai_usage()}});
  }
  return stream + "data: [DONE]\n\n";
}

// --- Anthropic ---

std::string anthropic_reason(Ending ending) {
  if (ending == Ending::Length) return "max_tokens";
  if (ending == Ending::ToolCalls) return "tool_use";
  return ending == Ending::Refused ? "refusal" : "end_turn";
}

Json anthropic_block(const core::ToolCall& call, const Json& input) {
  return {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", input}};
}

std::string anthropic_whole(const Spoken& spoken) {
  Json content = Json::array({{{"type", "text"}, {"text", spoken.text()}}});
  for (const core::ToolCall& call : spoken.calls) {
    content.push_back(anthropic_block(call, parse_json(call.arguments.text)));
  }
  Json reply = {{"type", "message"},
                {"model", "m-1"},
                {"content", content},
                {"stop_reason", anthropic_reason(spoken.ending)}};
  if (spoken.tells_usage) {
    reply["usage"] = {{"input_tokens", 5}, {"cache_read_input_tokens", 4}, {"output_tokens", 5}};
  }
  return dump(reply);
}

std::string anthropic_stream(const Spoken& spoken) {
  Json message = {{"model", "m-1"}, {"content", Json::array()}};
  if (spoken.tells_usage) {
    message["usage"] = {{"input_tokens", 5}, {"cache_read_input_tokens", 4}, {"output_tokens", 1}};
  }
  std::string stream = event_line("message_start", {{"message", message}});
  stream += event_line("content_block_start",
                       {{"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}});
  stream += event_line("ping", Json::object());
  for (const std::string& piece : spoken.pieces) {
    stream += event_line("content_block_delta",
                         {{"index", 0}, {"delta", {{"type", "text_delta"}, {"text", piece}}}});
  }
  stream += event_line("content_block_stop", {{"index", 0}});
  for (std::size_t i = 0; i < spoken.calls.size(); ++i) {
    const core::ToolCall& call = spoken.calls[i];
    stream +=
        event_line("content_block_start",
                   {{"index", i + 1}, {"content_block", anthropic_block(call, Json::object())}});
    const std::string& text = call.arguments.text;
    for (const std::string& piece :
         {text.substr(0, text.size() / 2), text.substr(text.size() / 2)}) {
      const Json delta = {{"type", "input_json_delta"}, {"partial_json", piece}};
      stream += event_line("content_block_delta", {{"index", i + 1}, {"delta", delta}});
    }
    stream += event_line("content_block_stop", {{"index", i + 1}});
  }
  if (!spoken.error.empty()) {
    const Json error = {{"type", spoken.error}, {"message", "too bad"}};
    return stream + event_line("error", {{"error", error}});
  }
  Json end = {{"delta", {{"stop_reason", anthropic_reason(spoken.ending)}}}};
  if (spoken.tells_usage) end["usage"] = {{"output_tokens", 5}};
  return stream + event_line("message_delta", end) + event_line("message_stop", Json::object());
}

}  // namespace

const std::vector<WireKind>& wire_kinds() {
  static const std::vector<WireKind> kinds = {
      {"openai", openai_whole, openai_stream,
       [](HttpModelOptions options) -> std::unique_ptr<core::Model> {
         return std::make_unique<OpenAi>(std::move(options));
       }},
      {"anthropic", anthropic_whole, anthropic_stream,
       [](HttpModelOptions options) -> std::unique_ptr<core::Model> {
         return std::make_unique<Anthropic>(std::move(options));
       }},
  };
  return kinds;
}

}  // namespace hone::model
