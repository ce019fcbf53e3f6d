// What a server refuses, and what is asked for instead.
#include <algorithm>
#include <array>

#include "hone/model/http_failure.h"
#include "hone/model/openai_wire.h"

namespace hone::model {
namespace {

using Words = std::span<const std::string_view>;

bool says(const Complaint& complaint, Words words) { return mentions(complaint, words); }
bool says(const Complaint& complaint, std::string_view word) {
  return mentions(complaint, Words(&word, 1));
}

// A parameter is not known or not taken; a bad value of it is the user's to change.
bool is_unsupported(const Complaint& complaint) {
  constexpr std::array<std::string_view, 12> words = {
      "unsupported",     "not support",   "doesn't support", "unknown",
      "unrecognized",    "unexpected",    "not allowed",     "not permitted",
      "extra_forbidden", "not available", "deprecated",      "invalid parameter"};
  return says(complaint, words);
}

bool refuses_format(const Complaint& complaint) {
  constexpr std::array<std::string_view, 6> words = {"response_format", "json_schema",
                                                     "json_object",     "structured output",
                                                     "invalid schema",  "parse grammar"};
  return says(complaint, words);
}

bool is_about_schema(const Complaint& complaint) {
  constexpr std::array<std::string_view, 3> words = {"invalid schema", "invalid_json_schema",
                                                     "parse grammar"};
  return says(complaint, words);
}

OpenAiFormat next_format(OpenAiFormat sent, const Complaint& complaint) {
  const bool was_schema = sent < OpenAiFormat::JsonObject;
  const bool was_strict = sent == OpenAiFormat::StrictSchema;
  if (was_strict && (says(complaint, "strict") || is_about_schema(complaint))) {
    return OpenAiFormat::Schema;
  }
  const bool other_kinds_may_do = says(complaint, "schema") || says(complaint, "structured");
  return was_schema && other_kinds_may_do ? OpenAiFormat::JsonObject : OpenAiFormat::Text;
}

bool leave_out(bool& feature) {
  feature = false;
  return true;
}

// Leaves one thing out that was sent and is refused; false when that is not it.
bool concede(OpenAiDialect& dialect, const core::ModelRequest& request,
             const Complaint& complaint) {
  constexpr std::array<std::string_view, 2> sampling = {"temperature", "top_p"};
  constexpr std::array<std::string_view, 2> probabilities = {"logprob", "log prob"};
  const bool newer = dialect.newer_limit != dialect.other_limit;
  const bool sent_sampling = request.sampling.temperature || request.sampling.top_p;
  if (!dialect.other_limit && says(complaint, newer ? "max_completion_tokens" : "max_tokens")) {
    return dialect.other_limit = true;
  }
  if (dialect.takes_sampling && sent_sampling && says(complaint, sampling)) {
    return leave_out(dialect.takes_sampling);
  }
  if (dialect.takes_seed && request.sampling.seed && says(complaint, "seed")) {
    return leave_out(dialect.takes_seed);
  }
  if (dialect.takes_probabilities && !request.choices.empty() && says(complaint, probabilities)) {
    return leave_out(dialect.takes_probabilities);
  }
  if (dialect.takes_stream_usage && request.drafts && says(complaint, "stream_options")) {
    return leave_out(dialect.takes_stream_usage);
  }
  return false;
}

}  // namespace

OpenAiDialect less(OpenAiDialect left, const OpenAiDialect& right) {
  left.format = std::max(left.format, right.format);
  left.other_limit = left.other_limit || right.other_limit;
  left.takes_sampling = left.takes_sampling && right.takes_sampling;
  left.takes_seed = left.takes_seed && right.takes_seed;
  left.takes_probabilities = left.takes_probabilities && right.takes_probabilities;
  left.takes_stream_usage = left.takes_stream_usage && right.takes_stream_usage;
  return left;
}

std::optional<Concession<OpenAiDialect>> openai_concession(const OpenAiDialect& sent,
                                                           const core::ModelRequest& request,
                                                           const net::HttpResponse& refusal) {
  if (refusal.status != 400 && refusal.status != 422) return std::nullopt;
  const Complaint complaint = complaint_of(refusal);
  Concession<OpenAiDialect> next{.dialect = sent};
  if (request.schema && sent.format != OpenAiFormat::Text && refuses_format(complaint)) {
    next.dialect.format = next_format(sent.format, complaint);
    next.about_schema = is_about_schema(complaint);
    return next;
  }
  if (!is_unsupported(complaint)) return std::nullopt;
  if (!concede(next.dialect, request, complaint)) return std::nullopt;
  return next;
}

}  // namespace hone::model
