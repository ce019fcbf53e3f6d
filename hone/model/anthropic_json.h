// Parts of a message that whole replies and streams share. For sources only: they include
// <nlohmann/json.hpp> first.
#pragma once

#include <string>

#include "hone/base/json.h"
#include "hone/model/answer.h"

namespace hone::model {

// What the counts of a "usage" object say; later events of a stream replace earlier ones.
void take_usage(const Json& object, Answer& answer);
Ending anthropic_ending(const std::string& stop_reason);
// Why it ended, and the explanation of a refusal, from a message or the delta of one.
void take_stop(const Json& object, Answer& answer);

}  // namespace hone::model
