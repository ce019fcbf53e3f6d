// Reads a reflector's reply. Every reply is a reflection; one in the asked form has fields.
#pragma once

#include <string_view>

#include "hone/core/run.h"
#include "hone/prompt/prompts.h"

namespace hone::prompt {

// An object with at least one known field fills those that are strings, and `text` is a paragraph
// made of them. Any other reply is taken as it is: it becomes `text`, its first sentence the rule.
core::Reflection read_reflection(std::string_view reply);

// The same of a reply to `ask`: of an object what the form asks for, so that a partial failure
// leaves no principle; of a sentence the sentence.
core::Reflection read_reflection(std::string_view reply, const ReflectionAsk& ask);

// Reads the reply to decision_prompt() over what was said already, which counts. A reply in another
// form changes nothing.
core::Reflection read_decision(std::string_view reply, core::Reflection said, bool significant);

// What can be said about an attempt when no reflector answers: its issues.
core::Reflection reflection_without_answer(const core::Attempt& attempt);

}  // namespace hone::prompt
