// The format of OpenAI Chat Completions: requests to text, replies from text. No input or output.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hone/base/error.h"
#include "hone/core/effects.h"
#include "hone/net/http_message.h"
#include "hone/net/sse.h"

namespace hone::model {

struct OpenAiDialect {
  std::string model;
  bool is_provider = false;   // OpenAI itself, which calls the longest answer by a newer name.
  bool takes_schemas = true;  // Knows `response_format` with a JSON Schema.
};

// The body of the request.
std::string openai_request(const OpenAiDialect& dialect, const core::ModelRequest& request);

// One reply, as far as the server told.
struct OpenAiAnswer {
  std::string text;
  std::string refusal;
  std::string finish_reason;  // Empty: not told.
  std::string model;          // Empty: not told.
  std::optional<core::Usage> usage;
};

// Reads a whole reply. Throws Unavailable for JSON that is cut off, Corrupt for what is no
// completion, and the error that the body carries.
OpenAiAnswer read_openai_answer(const net::HttpResponse& response);

// Reads a streamed reply piece by piece. Threads: one at a time.
class OpenAiStream {
 public:
  // The text that these bytes add. Throws Corrupt for an event that is not JSON, and the error that
  // the stream carries.
  std::string feed(std::string_view bytes);
  // The answer has ended; what follows may be its usage.
  bool is_complete() const { return is_done_ || !answer_.finish_reason.empty(); }
  const OpenAiAnswer& answer() const { return answer_; }

 private:
  std::string take(const net::ServerSentEvent& event);

  net::SseParser parser_;
  OpenAiAnswer answer_;
  bool is_done_ = false;
};

// What the answer costs: as told, else estimated from both texts.
core::Usage openai_usage(const OpenAiAnswer& answer, const core::ModelRequest& request);
// The answer in our words. Throws PaidError of kind Refused for one that the provider declined.
core::ModelReply openai_reply(const OpenAiAnswer& answer, const core::ModelRequest& request);

// Who was asked, for messages.
struct OpenAiServer {
  std::string model;
  std::string base_url;
  std::string key_name;
  bool has_key = false;
};

// What a status other than 2xx means to the caller.
Error openai_failure(const OpenAiServer& server, const net::HttpResponse& response, Instant now);
// The server takes no `response_format` of this kind.
bool refuses_schema(const net::HttpResponse& response);

}  // namespace hone::model
