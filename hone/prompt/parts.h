// What all prompts of a run are made of, inside of this folder.
#pragma once

#include <string>
#include <string_view>

#include "hone/core/run.h"
#include "hone/prompt/prompts.h"
#include "hone/prompt/values.h"

namespace hone::prompt {

// The values that every user message starts with: lessons and task. They refer to the run.
Values values_of(const core::Run& run);
// The same with an output under discussion, to which they refer as well.
Values values_of(const core::Run& run, const core::Output& output);
// The same with what a judge goes by; `verdict` writes an example's verdict in the form that the
// prompt asks for. They refer to the rubric, too.
Values judge_values(const core::Run& run, const core::Output& output, const Rubric& rubric,
                    std::string (*verdict)(const Example& example));

// The system message and the user message of the template with this name.
Prompt made(std::string_view name, const core::Run& run, const Values& values);

}  // namespace hone::prompt
