#include "hone/prompt/criteria.h"

namespace hone::prompt {

std::string_view default_criteria(std::string_view task_type) {
  if (task_type == "code") return "correctness, efficiency, readability, edge cases";
  if (task_type == "writing") return "clarity, coherence, completeness, tone";
  if (task_type == "analysis") return "accuracy, depth, relevance, objectivity";
  if (task_type == "reasoning") return "logical validity, completeness, clarity";
  return "correctness, completeness, clarity";
}

}  // namespace hone::prompt
