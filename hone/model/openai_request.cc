#include <cstdint>
#include <nlohmann/json.hpp>

#include "hone/base/text.h"
#include "hone/model/openai_wire.h"

namespace hone::model {
namespace {

// The largest number that every JSON reader takes exactly (RFC 8259, 6).
constexpr std::uint64_t kSeedMask = (std::uint64_t{1} << 53) - 1;

Json messages_of(const core::ModelRequest& request) {
  Json messages = Json::array();
  for (const auto& message : request.messages) {
    messages.push_back({{"role", core::to_string(message.speaker)}, {"content", message.text}});
  }
  return messages;
}

void add_sampling(Json& body, const OpenAiDialect& dialect, const core::Sampling& sampling) {
  const Tokens longest = sampling.max_tokens.value_or(core::kDefaultMaxTokens);
  body[dialect.is_provider ? "max_completion_tokens" : "max_tokens"] = longest.count;
  if (sampling.temperature) body["temperature"] = *sampling.temperature;
  if (sampling.top_p) body["top_p"] = *sampling.top_p;
  if (sampling.seed) body["seed"] = *sampling.seed & kSeedMask;
}

Json response_format(const JsonText& schema) {
  const Json named = {{"name", "output"}, {"schema", parse_json(schema.text)}};
  return {{"type", "json_schema"}, {"json_schema", named}};
}

}  // namespace

std::string openai_request(const OpenAiDialect& dialect, const core::ModelRequest& request) {
  Json body = {{"model", dialect.model}, {"messages", messages_of(request)}};
  add_sampling(body, dialect, request.sampling);
  if (request.schema && dialect.takes_schemas) {
    body["response_format"] = response_format(*request.schema);
  }
  if (request.drafts) {
    body["stream"] = true;
    body["stream_options"] = {{"include_usage", true}};
  }
  return dump(body);
}

}  // namespace hone::model
