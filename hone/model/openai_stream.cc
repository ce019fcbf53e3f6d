#include <algorithm>
#include <nlohmann/json.hpp>

#include "hone/base/text.h"
#include "hone/model/http_failure.h"
#include "hone/model/json_at.h"
#include "hone/model/openai_json.h"
#include "hone/model/openai_wire.h"

namespace hone::model {
namespace {

constexpr std::size_t kMostCalls = 1024;  // More is no answer.

}  // namespace

std::string OpenAiReader::feed(std::string_view bytes) {
  std::string added;
  for (const auto& event : parser_.feed(bytes)) added += take(event);
  return added;
}

std::string OpenAiReader::take(const net::ServerSentEvent& event) {
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
  take_choice(*choice, answer_);
  const Json* delta = object_at(*choice, "delta");
  if (delta == nullptr) return {};
  std::string added = content_of(*delta);
  answer_.text += added;
  answer_.refusal += text_at(*delta, "refusal");
  take_tool_calls(*delta);
  return added;
}

// Pieces of one call share an index. Servers that give none send each call in one piece.
void OpenAiReader::take_tool_calls(const Json& delta) {
  const Json* pieces = array_at(delta, "tool_calls");
  if (pieces == nullptr) return;
  for (const Json& piece : *pieces) {
    const auto told = count_at(piece, "index");
    const std::int64_t index = told.value_or(static_cast<std::int64_t>(call_indices_.size()));
    auto known = std::ranges::find(call_indices_, index);
    if (known == call_indices_.end()) {
      if (call_indices_.size() >= kMostCalls) continue;
      call_indices_.push_back(index);
      answer_.tool_calls.emplace_back();
      known = call_indices_.end() - 1;
    }
    auto& call = answer_.tool_calls[static_cast<std::size_t>(known - call_indices_.begin())];
    if (call.id.empty()) call.id = text_at(piece, "id");
    const Json* function = object_at(piece, "function");
    if (function == nullptr) continue;
    call.name += text_at(*function, "name");
    call.arguments.text += raw_at(*function, "arguments");
  }
}

}  // namespace hone::model
