// Parts of a completion that whole replies and streams share. For sources only: they include
// <nlohmann/json.hpp> first.
#pragma once

#include <string>
#include <string_view>

#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/model/openai_wire.h"

namespace hone::model {

// The text under `key`, or `otherwise` if there is none or it is null.
std::string text_at(const Json& object, std::string_view key, std::string otherwise = {});
// The content of a message or delta: a text, or the text parts of a list.
std::string content_of(const Json& message);
// Null if the reply has no choice.
const Json* first_choice(const Json& reply);
// Model and usage.
void take_envelope(const Json& reply, OpenAiAnswer& answer);
// Throws if the body is an error in spite of its status.
void throw_carried_error(const Json& reply);
// Corrupt, with the beginning of what came instead of JSON.
Error not_json(std::string_view what, std::string_view text);

}  // namespace hone::model
