// What a model refuses, and what is asked for instead.
#include <algorithm>
#include <array>

#include "hone/model/anthropic_wire.h"
#include "hone/model/http_failure.h"

namespace hone::model {
namespace {

bool refuses_schema(const Complaint& complaint) {
  constexpr std::array<std::string_view, 5> words = {"output_config", "output_format",
                                                     "structured output", "json_schema", "schema"};
  return mentions(complaint, words);
}

// Models that always think cannot be forced to a tool.
bool refuses_tool(const Complaint& complaint) {
  constexpr std::array<std::string_view, 4> words = {"tool_choice", "forces tool", "input_schema",
                                                     "tools"};
  return mentions(complaint, words);
}

bool is_about_schema(const Complaint& complaint) {
  constexpr std::array<std::string_view, 5> words = {"invalid schema", "schema is too complex",
                                                     "input_schema", "compiled grammar",
                                                     "additionalproperties"};
  return mentions(complaint, words);
}

bool refuses_sampling(const Complaint& complaint) {
  constexpr std::array<std::string_view, 2> words = {"temperature", "top_p"};
  return mentions(complaint, words);
}

bool refuses_caching(const Complaint& complaint) {
  constexpr std::array<std::string_view, 1> words = {"cache_control"};
  return mentions(complaint, words);
}

}  // namespace

AnthropicDialect less(AnthropicDialect left, const AnthropicDialect& right) {
  left.format = std::max(left.format, right.format);
  left.takes_sampling = left.takes_sampling && right.takes_sampling;
  left.takes_caching = left.takes_caching && right.takes_caching;
  return left;
}

std::optional<Concession<AnthropicDialect>> anthropic_concession(const AnthropicDialect& sent,
                                                                 const core::ModelRequest& request,
                                                                 const net::HttpResponse& refusal) {
  if (refusal.status != 400 && refusal.status != 422) return std::nullopt;
  const Complaint complaint = complaint_of(refusal);
  Concession<AnthropicDialect> next{.dialect = sent};
  const bool sent_sampling = request.sampling.temperature || request.sampling.top_p;
  if (sent.takes_sampling && sent_sampling && refuses_sampling(complaint)) {
    next.dialect.takes_sampling = false;
    return next;
  }
  if (sent.takes_caching && refuses_caching(complaint)) {
    next.dialect.takes_caching = false;
    return next;
  }
  if (!request.schema) return std::nullopt;
  next.about_schema = is_about_schema(complaint);
  const bool was_schema = sent.format == AnthropicFormat::Schema;
  if (was_schema && refuses_schema(complaint)) {
    next.dialect.format = AnthropicFormat::ForcedTool;
    return next;
  }
  if (sent.format != AnthropicFormat::Text && refuses_tool(complaint)) {
    next.dialect.format = AnthropicFormat::Text;
    return next;
  }
  return std::nullopt;
}

}  // namespace hone::model
