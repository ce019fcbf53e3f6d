#include "hone/prompt/criteria.h"

namespace hone::prompt {

std::string_view default_criteria(std::string_view task_type) {
  if (task_type == "code") return "correctness, efficiency, readability, edge cases";
  if (task_type == "writing") return "clarity, coherence, completeness, tone";
  if (task_type == "analysis") return "accuracy, depth, relevance, objectivity";
  if (task_type == "reasoning") return "logical validity, completeness, clarity";
  return "correctness, completeness, clarity";
}

std::vector<CriterionText> default_criteria_list(std::string_view task_type) {
  if (task_type == "code") {
    return {{"correctness", "it does what the task asks, for all inputs"},
            {"efficiency", "no needless work or memory"},
            {"readability", "clear names and structure"},
            {"edge_cases", "empty, extreme and wrong inputs are dealt with"}};
  }
  if (task_type == "writing") {
    return {{"clarity", "easy to understand at first reading"},
            {"coherence", "each part follows from the one before"},
            {"completeness", "all that was asked for is there"},
            {"tone", "it fits reader and occasion"}};
  }
  if (task_type == "analysis") {
    return {{"accuracy", "facts and figures are right"},
            {"depth", "causes and consequences, not the surface alone"},
            {"relevance", "it keeps to the question"},
            {"objectivity", "evidence before opinion, other views are weighed"}};
  }
  if (task_type == "reasoning") {
    return {{"logical_validity", "each step follows from those before"},
            {"completeness", "no step and no case is left out"},
            {"clarity", "the steps are easy to follow"}};
  }
  return {{"correctness", "what it says or does is right"},
          {"completeness", "all that was asked for is there"},
          {"clarity", "easy to understand at first reading"}};
}

}  // namespace hone::prompt
