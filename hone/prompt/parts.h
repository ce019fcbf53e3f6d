// What all prompts of a run are made of, inside of this folder.
#pragma once

#include <string>
#include <string_view>

#include "hone/base/json.h"
#include "hone/core/run.h"
#include "hone/prompt/prompts.h"

namespace hone::prompt {

// The values that every user message starts with: lessons and task.
Json values_of(const core::Run& run);
// The same with an output under discussion.
Json values_of(const core::Run& run, const core::Output& output);

// The system message and the user message of the template with this name.
Prompt made(std::string_view name, const core::Run& run, const Json& values);

}  // namespace hone::prompt
