#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"
#include "hone/model/openai_wire.h"
#include "hone/model/strict_schema.h"

namespace hone::model {
namespace {

// The largest number that every JSON reader takes exactly (RFC 8259, 6).
constexpr std::uint64_t kSeedMask = (std::uint64_t{1} << 53) - 1;
constexpr int kAlternatives = 20;      // The most that the API tells of one token.
constexpr std::size_t kMostStops = 4;  // The most that the API takes.

Json tool_calls_of(const core::Message& message) {
  Json calls = Json::array();
  for (const core::ToolCall& call : message.tool_calls) {
    const Json function = {{"name", call.name}, {"arguments", call.arguments.text}};
    calls.push_back({{"id", call.id}, {"type", "function"}, {"function", function}});
  }
  return calls;
}

Json message_json(const core::Message& message) {
  Json json = {{"role", core::to_string(message.speaker)}, {"content", message.text}};
  if (message.speaker == core::Speaker::Tool) json["tool_call_id"] = message.tool_call;
  if (message.tool_calls.empty()) return json;
  if (message.text.empty()) json["content"] = nullptr;
  json["tool_calls"] = tool_calls_of(message);
  return json;
}

Json messages_of(const core::ModelRequest& request) {
  Json messages = Json::array();
  for (const auto& message : request.messages) messages.push_back(message_json(message));
  return messages;
}

void add_sampling(Json& body, const OpenAiDialect& dialect, const core::Sampling& sampling) {
  const Tokens longest = sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  const bool newer = dialect.newer_limit != dialect.other_limit;
  body[newer ? "max_completion_tokens" : "max_tokens"] = longest.count;
  if (dialect.takes_sampling && sampling.temperature) body["temperature"] = *sampling.temperature;
  if (dialect.takes_sampling && sampling.top_p) body["top_p"] = *sampling.top_p;
  if (dialect.takes_seed && sampling.seed) body["seed"] = *sampling.seed & kSeedMask;
}

Json schema_format(const Json& schema, bool is_strict) {
  Json named = {{"name", "output"}};
  if (is_strict) named["strict"] = true;
  named["schema"] = schema;
  return {{"type", "json_schema"}, {"json_schema", std::move(named)}};
}

bool speaks_of_json(const core::ModelRequest& request) {
  return std::ranges::any_of(request.messages, [](const core::Message& message) {
    return lower(message.text).find("json") != std::string::npos;
  });
}

// The format for a schema, as JSON text.
std::string made_format(const std::string& text, OpenAiFormat format) {
  const Json schema = parse_json(text);
  std::optional<Json> strict;
  if (format == OpenAiFormat::StrictSchema) strict = strict_schema(schema, SchemaLimits::Bounds);
  return dump(schema_format(strict.value_or(schema), strict.has_value()));
}

// The same, made once: judges and reflectors send the same schemas with every call.
const std::string& format_of(const std::string& schema, OpenAiFormat format) {
  constexpr std::size_t kMost = 16;
  thread_local std::map<std::pair<OpenAiFormat, std::string>, std::string> known;
  const std::pair key(format, schema);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  std::string made = made_format(schema, format);
  if (known.size() >= kMost) known.clear();
  return known.emplace(key, std::move(made)).first->second;
}

bool wants_object(const core::ModelRequest& request) {
  const Json schema = parse_json(request.schema->text);
  return schema.is_object() && schema.value("type", Json("object")) == "object";
}

// The text of the body with the format as its last member.
std::string with_format(std::string body, const OpenAiDialect& dialect,
                        const core::ModelRequest& request) {
  if (!request.schema || dialect.format == OpenAiFormat::Text) return body;
  constexpr std::string_view kObject = R"({"type":"json_object"})";
  const bool by_schema = dialect.format != OpenAiFormat::JsonObject;
  if (!by_schema && !(wants_object(request) && speaks_of_json(request))) return body;
  const std::string_view format =
      by_schema ? std::string_view(format_of(request.schema->text, dialect.format)) : kObject;
  body.pop_back();
  constexpr std::string_view kName = R"(,"response_format":)";
  body.reserve(body.size() + kName.size() + format.size() + 1);
  return std::move(body.append(kName).append(format).append(1, '}'));
}

void add_tools(Json& body, const core::ModelRequest& request) {
  if (request.tools.empty()) return;
  Json tools = Json::array();
  for (const core::Tool& tool : request.tools) {
    const Json function = {{"name", tool.name},
                           {"description", tool.description},
                           {"parameters", parse_json(tool.schema.text)}};
    tools.push_back({{"type", "function"}, {"function", function}});
  }
  body["tools"] = std::move(tools);
}

void add_stops(Json& body, const core::ModelRequest& request) {
  if (request.stop.empty()) return;
  const std::size_t count = std::min(kMostStops, request.stop.size());
  body["stop"] = std::vector<std::string>(request.stop.begin(), request.stop.begin() + count);
}

}  // namespace

std::string openai_request(const OpenAiDialect& dialect, const core::ModelRequest& request) {
  Json body = {{"model", dialect.model}, {"messages", messages_of(request)}};
  add_sampling(body, dialect, request.sampling);
  add_tools(body, request);
  add_stops(body, request);
  if (!request.choices.empty() && dialect.takes_probabilities) {
    body["logprobs"] = true;
    body["top_logprobs"] = kAlternatives;
  }
  if (request.drafts) {
    body["stream"] = true;
    if (dialect.takes_stream_usage) body["stream_options"] = {{"include_usage", true}};
  }
  return with_format(dump(body), dialect, request);
}

}  // namespace hone::model
