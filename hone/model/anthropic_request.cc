#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "hone/base/text.h"
#include "hone/model/anthropic_wire.h"
#include "hone/model/strict_schema.h"

namespace hone::model {
namespace {

constexpr std::size_t kMostMarks = 4;  // Of the prompt cache, the system prompt's among them.

Json ephemeral() { return {{"type", "ephemeral"}}; }

Json text_block(std::string_view text, bool is_marked) {
  Json block = {{"type", "text"}, {"text", text}};
  if (is_marked) block["cache_control"] = ephemeral();
  return block;
}

bool is_blank(std::string_view text) { return trim(text).empty(); }

// The shared bytes, a torn character left out.
std::string_view shared_start(const core::Message& message) {
  std::size_t size = std::min(message.shared, message.text.size());
  while (size > 0 && size < message.text.size() && (message.text[size] & 0xC0) == 0x80) --size;
  return std::string_view(message.text).substr(0, size);
}

// The API refuses blocks with nothing but white space in them.
void add_text(Json& blocks, const core::Message& message, bool is_marked) {
  const std::string_view text = message.text;
  if (is_blank(text)) return;
  const std::string_view shared = is_marked ? shared_start(message) : std::string_view();
  const std::string_view rest = text.substr(shared.size());
  if (is_blank(shared) || is_blank(rest)) {
    blocks.push_back(text_block(text, !is_blank(shared)));
    return;
  }
  blocks.push_back(text_block(shared, true));
  blocks.push_back(text_block(rest, false));
}

Json tool_input(const core::ToolCall& call) {
  auto input = try_parse_json(call.arguments.text);
  if (input && input->is_object()) return *std::move(input);
  return {{"arguments", call.arguments.text}};
}

Json blocks_of(const core::Message& message, bool is_marked) {
  Json blocks = Json::array();
  if (message.speaker == core::Speaker::Tool) {
    blocks.push_back(
        {{"type", "tool_result"}, {"tool_use_id", message.tool_call}, {"content", message.text}});
    return blocks;
  }
  add_text(blocks, message, is_marked);
  for (const core::ToolCall& call : message.tool_calls) {
    blocks.push_back(
        {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", tool_input(call)}});
  }
  return blocks;
}

Json system_of(const core::ModelRequest& request, bool is_marked) {
  Json system = Json::array();
  for (const core::Message& message : request.messages) {
    const bool is_system = message.speaker == core::Speaker::System;
    if (is_system && !is_blank(message.text)) system.push_back(text_block(message.text, false));
  }
  if (!system.empty() && is_marked) system.back()["cache_control"] = ephemeral();
  return system;
}

// The last messages with a shared start: earlier ones stand before theirs.
std::set<const core::Message*> marked_messages(const core::ModelRequest& request,
                                               std::size_t count) {
  std::set<const core::Message*> marked;
  for (auto it = request.messages.rbegin(); it != request.messages.rend(); ++it) {
    const bool has_shared = it->speaker == core::Speaker::User && !is_blank(shared_start(*it));
    if (has_shared && marked.size() < count) marked.insert(&*it);
  }
  return marked;
}

// Messages of one side in a row are one: the answers of tools have to stand together.
Json messages_of(const core::ModelRequest& request, std::size_t marks) {
  const auto marked = marked_messages(request, marks);
  Json messages = Json::array();
  for (const core::Message& message : request.messages) {
    if (message.speaker == core::Speaker::System) continue;
    const bool is_answer = message.speaker == core::Speaker::Assistant;
    const std::string_view role = is_answer ? "assistant" : "user";
    Json blocks = blocks_of(message, marked.contains(&message));
    if (blocks.empty()) continue;
    if (messages.empty() || messages.back()["role"] != role) {
      messages.push_back({{"role", role}, {"content", std::move(blocks)}});
      continue;
    }
    for (Json& block : blocks) messages.back()["content"].push_back(std::move(block));
  }
  return messages;
}

void add_sampling(Json& body, const core::Sampling& sampling) {
  if (sampling.temperature) {
    body["temperature"] = std::clamp(*sampling.temperature, 0.0, 1.0);
  } else if (sampling.top_p) {
    body["top_p"] = std::clamp(*sampling.top_p, 0.0, 1.0);
  }
}

Json tool_json(std::string_view name, std::string_view description, Json schema) {
  Json tool = {{"name", name}};
  if (!description.empty()) tool["description"] = description;
  tool["input_schema"] = std::move(schema);
  return tool;
}

// Where the schema cannot be enforced, tools of the request or a root that is no object forbid the
// forced tool: then the prompt alone says it.
void add_format(Json& body, const AnthropicDialect& dialect, const core::ModelRequest& request) {
  if (!request.schema || dialect.format == AnthropicFormat::Text) return;
  const Json schema = parse_json(request.schema->text);
  if (dialect.format == AnthropicFormat::Schema) {
    if (auto strict = strict_schema(schema, SchemaLimits::NoBounds)) {
      const Json format = {{"type", "json_schema"}, {"schema", *std::move(strict)}};
      body["output_config"] = {{"format", format}};
      return;
    }
  }
  const bool is_object = schema.is_object() && schema.value("type", Json()) == "object";
  if (!is_object || !request.tools.empty()) return;
  body["tools"] = Json::array({tool_json(kOutputTool, "Takes your answer.", schema)});
  body["tool_choice"] = {{"type", "tool"}, {"name", kOutputTool}};
}

void add_tools(Json& body, const core::ModelRequest& request) {
  if (request.tools.empty()) return;
  Json tools = Json::array();
  for (const core::Tool& tool : request.tools) {
    tools.push_back(tool_json(tool.name, tool.description, parse_json(tool.schema.text)));
  }
  body["tools"] = std::move(tools);
}

}  // namespace

std::string anthropic_request(const AnthropicDialect& dialect, const core::ModelRequest& request) {
  const Tokens longest = request.sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  Json body = {{"model", dialect.model}, {"max_tokens", longest.count}};
  Json system = system_of(request, dialect.takes_caching);
  const std::size_t marks = system.empty() ? kMostMarks : kMostMarks - 1;
  if (!system.empty()) body["system"] = std::move(system);
  body["messages"] = messages_of(request, dialect.takes_caching ? marks : 0);
  if (dialect.takes_sampling) add_sampling(body, request.sampling);
  add_tools(body, request);
  add_format(body, dialect, request);
  if (!request.stop.empty()) body["stop_sequences"] = request.stop;
  if (request.drafts) body["stream"] = true;
  return dump(body);
}

}  // namespace hone::model
