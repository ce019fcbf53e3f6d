// What a judge looks at when nobody said.
#pragma once

#include <string_view>

namespace hone::prompt {

// The default criteria of a task type (code, writing, analysis, reasoning, or any other), as words
// for a prompt.
std::string_view default_criteria(std::string_view task_type);

}  // namespace hone::prompt
