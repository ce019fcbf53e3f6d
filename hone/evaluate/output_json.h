// The JSON that an output consists of, where a check wants JSON and models add prose and fences.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hone/base/json.h"

namespace hone::evaluate {

// Either `json`, with the line of the output (from 1) on which it begins, or a `problem`: a
// sentence, with its line where it is known.
struct OutputJson {
  std::optional<JsonText> json;
  std::string problem;
  std::optional<int> line;
};

// Reads the whole text, the only fenced block that is JSON, or the last object or array in prose
// (never one inside of a fenced program).
// Several fenced blocks of JSON are a problem, and so is JSON that breaks off: what stands inside
// of it is never taken for the whole.
OutputJson find_json(std::string_view output);

// The text without blanks around it and without the fence, if one fence encloses all of it.
std::string_view without_fence(std::string_view output);

}  // namespace hone::evaluate
