// Reads a judge's scores by criterion: {"criteria": {"clarity": {"score": 0.7, "reason": "…"}}}.
//
// The object may stand in prose or in a fence, its criteria may be a list of objects with `name`,
// may be bare numbers or texts such as "8/10", and may stand at the top. What belongs to one
// criterion is read as any verdict is (verdict.h): types are strict, scores on a stated scale
// convert, others must lie in [0, 1], and a flag alone has score 1 or 0.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/units.h"

namespace hone::prompt {

struct CriterionScore {
  Score score{0};
  std::string reason;

  bool operator==(const CriterionScore&) const = default;
};

struct CriteriaReply {
  std::map<std::string, CriterionScore> scores;  // By the names that were asked for.
  std::vector<std::string> unasked;              // Criteria that nobody asked for, as written.
  std::vector<std::string> suggestions;
  // Why some of what was asked for is not in `scores`, as half a sentence that follows "could not
  // be used:"; empty if all of it is.
  std::string problem;

  bool operator==(const CriteriaReply&) const = default;
};

// `names` are compared without case, and with blanks, hyphens and underscores alike.
CriteriaReply read_criteria(std::string_view reply, const std::vector<std::string>& names);

// What makes two names of criteria the same one: "Edge cases" and "edge_cases" are.
std::string criterion_key(std::string_view name);

}  // namespace hone::prompt
