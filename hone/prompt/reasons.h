// What a reviser and a reflector are told: why attempts were rejected, and what was learned.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hone/core/run.h"

namespace hone::prompt {

// At most this many lines; the last one then says how many more there are.
inline constexpr std::size_t kMostReasons = 30;
// Longest line in bytes; what is cut ends in "…".
inline constexpr std::size_t kLongestReason = 2000;
// Longest advice of all reflections together, in bytes; the oldest go first.
inline constexpr std::size_t kLongestAdvice = 6000;

// Why this attempt was not accepted: one line for each issue, "/total: must be 42 (check `sum`)",
// then its suggestions; for an output that nobody judged, why.
std::vector<std::string> reasons(const core::Attempt& attempt);

// The same for one issue.
std::string reason(const core::Issue& issue);

// The reasons of the last attempt that the best one has not: what a later version broke. Empty
// while the last attempt is the best.
std::vector<std::string> later_reasons(const core::Run& run);
// Whether the last attempt is worse than the best one and no repeat.
bool is_regression(const core::Run& run);

// One line for each reflection of the run that says something new, oldest first: what to do
// differently and the rule, or its text where it has no such fields. Of the newest `reflections`
// only, where that is given. What the run has learned by now stands
// among its lessons, if it is relevant.
std::vector<std::string> advice(const core::Run& run, std::optional<int> reflections = {});

}  // namespace hone::prompt
