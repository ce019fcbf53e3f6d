// Verdicts as JSON objects, inside of this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/prompt/verdict.h"

namespace hone::prompt {

// All that speaks for an outcome in one reply. Scores are converted, not checked.
struct Evidence {
  std::vector<bool> flags;
  std::vector<double> scores;
  bool stated = false;  // Some of it stands where a verdict stands.
  std::string problem;  // Something that cannot be read; empty if there is nothing.
  Verdict remarks;      // Reason, issues, suggestions, confidence.
};

// A JSON object in a text.
struct Located {
  std::size_t begin = 0;
  std::size_t end = 0;
  JsonText text;
};
struct Objects {
  std::vector<Located> found;  // The outermost ones, in order.
  bool too_many = false;       // There are so many braces that not all were looked at.
};
Objects objects_in(std::string_view text);

// The reply without the thoughts that some models write in front of it; absent if it is nothing
// but thoughts.
std::optional<std::string_view> without_thoughts(std::string_view reply);

// Whether the object has a key of a verdict.
bool is_verdict(const Json& value);
// Adds a verdict object.
void add_object(Evidence& evidence, const Json& object);
// Adds all objects in a text. Returns the text with a line break in place of each of them.
std::string add_objects(Evidence& evidence, std::string_view text);

}  // namespace hone::prompt
