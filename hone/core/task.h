// What is to be done.
#pragma once

#include <optional>
#include <string>

#include "hone/base/json.h"

namespace hone::core {

// A task, ready for a prompt: templates rendered, files read, nothing left to look up.
struct Task {
  std::string name;               // For people: the file's stem, or the prompt's first words.
  std::string prompt;             // What the models are asked to do.
  std::string system;             // Extra system text; empty for none.
  std::string type = "general";   // code, writing, analysis, reasoning, or the user's own.
  std::optional<JsonText> input;  // The values the prompt was made from.

  bool operator==(const Task&) const = default;
};

}  // namespace hone::core
