// The format of OpenAI Chat Completions: requests to text, replies from text. No input or output.
// Source: OpenAI API reference, "Chat Completions" and "Structured model outputs".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/core/effects.h"
#include "hone/model/answer.h"
#include "hone/model/manners.h"
#include "hone/net/http_message.h"
#include "hone/net/sse.h"

namespace hone::model {

// How JSON is asked for.
enum class OpenAiFormat {
  StrictSchema,  // The schema is enforced, where it can be made strict.
  Schema,        // The schema is a hint.
  JsonObject,    // Any JSON object; only where the prompt speaks of JSON, as OpenAI demands.
  Text           // Not at all: the prompt alone says it.
};

// The forms of the API that one server and model take.
struct OpenAiDialect {
  std::string model;
  OpenAiFormat format = OpenAiFormat::StrictSchema;
  // The longest answer is `max_completion_tokens`, which counts hidden reasoning, not `max_tokens`.
  bool newer_limit = false;
  bool other_limit = false;    // The server has refused that name: the other one.
  bool takes_sampling = true;  // Reasoning models take no temperature and top_p.
  bool takes_seed = true;
  bool takes_probabilities = true;  // `logprobs`, for ModelRequest::choices.
  bool takes_stream_usage = true;   // `stream_options`.

  bool operator==(const OpenAiDialect&) const = default;
};
OpenAiDialect less(OpenAiDialect left, const OpenAiDialect& right);

// The body of the request.
std::string openai_request(const OpenAiDialect& dialect, const core::ModelRequest& request);

// What to ask for next, if the response refuses a part of the request that can be left out.
std::optional<Concession<OpenAiDialect>> openai_concession(const OpenAiDialect& sent,
                                                           const core::ModelRequest& request,
                                                           const net::HttpResponse& refusal);

class OpenAiReader final : public AnswerReader {
 public:
  std::string feed(std::string_view bytes) override;
  bool is_complete() const override { return is_done_ || answer_.ending != Ending::Untold; }
  const Answer& answer() const override { return answer_; }
  Answer read(const net::HttpResponse& response) const override;

 private:
  std::string take(const net::ServerSentEvent& event);
  void take_tool_calls(const Json& delta);

  net::SseParser parser_;
  Answer answer_;
  std::vector<std::int64_t> call_indices_;  // Of the answer's tool calls.
  bool is_done_ = false;
};

}  // namespace hone::model
