// Parts of a completion that whole replies and streams share. For sources only: they include
// <nlohmann/json.hpp> first.
#pragma once

#include <string>

#include "hone/base/json.h"
#include "hone/model/answer.h"

namespace hone::model {

// The content of a message or delta: a text, or the text parts of a list.
std::string content_of(const Json& message);
// Null if the reply has no choice.
const Json* first_choice(const Json& reply);
// Model and usage.
void take_envelope(const Json& reply, Answer& answer);
// Why the choice ended, and the probabilities of its first tokens.
void take_choice(const Json& choice, Answer& answer);

}  // namespace hone::model
