#include <nlohmann/json.hpp>

#include "hone/model/openai_json.h"
#include "hone/model/openai_wire.h"

namespace hone::model {

std::string OpenAiStream::feed(std::string_view bytes) {
  std::string added;
  for (const auto& event : parser_.feed(bytes)) added += take(event);
  return added;
}

std::string OpenAiStream::take(const net::ServerSentEvent& event) {
  if (event.data == "[DONE]") {
    is_done_ = true;
    return {};
  }
  const std::string data = to_utf8(event.data);
  const auto chunk = try_parse_json(data);
  if (!chunk) throw not_json("an event of the stream", data);
  throw_carried_error(*chunk);
  take_envelope(*chunk, answer_);
  const Json* choice = first_choice(*chunk);
  if (choice == nullptr) return {};  // The last event carries the usage alone.
  answer_.finish_reason = text_at(*choice, "finish_reason", answer_.finish_reason);
  const auto delta = choice->find("delta");
  if (delta == choice->end() || !delta->is_object()) return {};
  std::string added = content_of(*delta);
  answer_.text += added;
  answer_.refusal += text_at(*delta, "refusal");
  return added;
}

}  // namespace hone::model
