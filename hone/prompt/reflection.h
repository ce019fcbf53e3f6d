// Reads a reflector's reply. Every reply is a reflection; one in the asked form has fields.
#pragma once

#include <string_view>

#include "hone/core/run.h"

namespace hone::prompt {

// An object with at least one known field fills those that are strings, and `text` is a paragraph
// made of them. Any other reply is taken as it is: it becomes `text`, its first sentence the rule.
core::Reflection read_reflection(std::string_view reply);

// What can be said about an attempt when no reflector answers: its issues.
core::Reflection reflection_without_answer(const core::Attempt& attempt);

}  // namespace hone::prompt
