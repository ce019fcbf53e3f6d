// What a revision did to the issues of the attempt it came from.
#pragma once

#include <string>
#include <vector>

#include "hone/core/evaluation.h"

namespace hone::core {

// Issues by what became of them, as short labels for people ("schema: /summary required").
struct Changes {
  std::vector<std::string> resolved;    // The parent had it, this attempt has not.
  std::vector<std::string> carried;     // Both have it.
  std::vector<std::string> added;       // New here: no earlier attempt had it.
  std::vector<std::string> resurfaced;  // The parent had not, an earlier attempt had.

  bool operator==(const Changes&) const = default;
};

// "check: path kind", what makes two issues the same one.
std::string label(const Issue& issue);

// `earlier` are the evaluations of all attempts before this one, the parent's among them.
Changes compare_issues(const Evaluation& parent, const Evaluation& now,
                       const std::vector<const Evaluation*>& earlier);

}  // namespace hone::core
