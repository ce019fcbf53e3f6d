// Where one JSON value differs from another.
#pragma once

#include <vector>

#include "hone/base/json.h"
#include "hone/core/evaluation.h"

namespace hone::evaluate {

// Empty exactly when the values are equal: members in any order, numbers by value (1 equals 1.0).
// Each issue names the place and what was found there, never the expected value. At most
// kMostDifferences of them.
std::vector<core::Issue> differences(const Json& found, const Json& expected);

inline constexpr std::size_t kMostDifferences = 20;

}  // namespace hone::evaluate
