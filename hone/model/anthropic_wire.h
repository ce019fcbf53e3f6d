// The format of Anthropic Messages: requests to text, replies from text. No input or output.
// Source: Claude API reference, "Messages", "Streaming messages", "Prompt caching", "Structured
// outputs", "Tool use".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "hone/core/effects.h"
#include "hone/model/answer.h"
#include "hone/model/manners.h"
#include "hone/net/http_message.h"
#include "hone/net/sse.h"

namespace hone::model {

// How JSON is asked for.
enum class AnthropicFormat {
  Schema,      // `output_config`: enforced, where the schema can be made strict.
  ForcedTool,  // A tool of that schema which the model has to call; older models know only this.
  Text         // Not at all: the prompt alone says it.
};

// The forms of the API that one model takes.
struct AnthropicDialect {
  std::string model;
  AnthropicFormat format = AnthropicFormat::Schema;
  bool takes_sampling = true;  // Models that always think take no temperature and top_p.
  bool takes_caching = true;   // `cache_control`; some gateways do not know it.

  bool operator==(const AnthropicDialect&) const = default;
};
AnthropicDialect less(AnthropicDialect left, const AnthropicDialect& right);

// The name of the tool that stands for a schema.
inline constexpr std::string_view kOutputTool = "write_output";

// The body of the request. Temperatures above 1 become 1; top_p is left out beside a temperature,
// for the API takes one of them. The system prompt and the shared start of messages are marked for
// the prompt cache: four marks at most, of the last messages.
std::string anthropic_request(const AnthropicDialect& dialect, const core::ModelRequest& request);

// What to ask for next, if the response refuses a part of the request that can be left out.
std::optional<Concession<AnthropicDialect>> anthropic_concession(const AnthropicDialect& sent,
                                                                 const core::ModelRequest& request,
                                                                 const net::HttpResponse& refusal);

// The input of kOutputTool is the text of the answer. Thinking is left out.
class AnthropicReader final : public AnswerReader {
 public:
  std::string feed(std::string_view bytes) override;
  // message_stop is the end: the stream closes without [DONE].
  bool is_complete() const override { return is_done_ || answer_.ending != Ending::Untold; }
  const Answer& answer() const override { return answer_; }
  Answer read(const net::HttpResponse& response) const override;

 private:
  std::string take(const net::ServerSentEvent& event);
  std::string begin_block(const Json& event);
  std::string add_to_block(const Json& event);
  void end_message(const Json& event);

  // Of each block that is a tool call: its place in the answer; the output tool has none.
  std::map<std::int64_t, std::optional<std::size_t>> calls_;
  net::SseParser parser_;
  Answer answer_;
  bool is_done_ = false;
};

}  // namespace hone::model
