// What a provider answered, whatever its format, and how it becomes a reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/core/effects.h"
#include "hone/net/http_message.h"

namespace hone::model {

// Why the answer ended, in the words that providers share.
enum class Ending {
  Untold,       // Not told, or not yet.
  Complete,     // The model was done.
  Length,       // The longest answer was reached.
  ToolCalls,    // It waits for tools.
  Filtered,     // A filter of the provider cut it off.
  Refused,      // The provider or the model declines.
  Interrupted,  // Anything else that leaves half an answer.
};

// One token of the answer with what the model considered in its place.
struct TokenChoice {
  struct Likely {
    std::string text;
    double probability = 0;
  };
  std::string chosen;
  std::vector<Likely> likely;  // The chosen one among them.
};

// One answer, as far as the provider told.
struct Answer {
  std::string text;
  std::string refusal;  // Its reason, if it declined.
  Ending ending = Ending::Untold;
  std::string model;  // Empty: not told.
  std::vector<core::ToolCall> tool_calls;
  std::vector<TokenChoice> tokens;   // The first ones; empty: not told.
  std::optional<core::Usage> usage;  // Absent: not told.
};

// Reads an answer that comes as a stream or at once. One for each call. Threads: one at a time.
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;
  // The text that these bytes of a stream add. Throws Corrupt for an event that is not JSON, and
  // the error that the stream carries.
  virtual std::string feed(std::string_view bytes) = 0;
  // The streamed answer has ended; what follows may be its usage.
  virtual bool is_complete() const = 0;
  // The streamed answer as far as it came.
  virtual const Answer& answer() const = 0;
  // Reads an answer that came at once. Throws Unavailable for JSON that is cut off, Corrupt for
  // what is no answer, and the error that the body carries.
  virtual Answer read(const net::HttpResponse& response) const = 0;
};

// What the answer costs: as told, else estimated from both texts.
core::Usage cost_of(const Answer& answer, const core::ModelRequest& request);
// The same for an answer that broke off: what was told before its end may be too little.
core::Usage cost_of_part(const Answer& answer, const core::ModelRequest& request);

// The answer in our words. Throws PaidError: Refused for one that the provider declined, and
// Unavailable for one with nothing in it.
core::ModelReply reply_of(const Answer& answer, const core::ModelRequest& request);

// The estimated length of the prompt, tools included.
Tokens estimated_prompt(const core::ModelRequest& request);

}  // namespace hone::model
