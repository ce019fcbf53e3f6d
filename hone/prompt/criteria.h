// What a judge looks at when nobody said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::prompt {

// A criterion as a judge is told it.
struct CriterionText {
  std::string name;         // "edge_cases"
  std::string description;  // May be empty.

  bool operator==(const CriterionText&) const = default;
};

// The default criteria of a task type (code, writing, analysis, reasoning, or any other), as words
// for a prompt.
std::string_view default_criteria(std::string_view task_type);
// The same one by one, each with what it means.
std::vector<CriterionText> default_criteria_list(std::string_view task_type);

}  // namespace hone::prompt
