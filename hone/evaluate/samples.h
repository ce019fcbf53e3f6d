// Several verdicts on one output as one, inside of this folder.
#pragma once

#include <vector>

#include "hone/core/evaluation.h"

namespace hone::evaluate {

// The median of the known ones with their range; unknown if none is known. `samples` is not empty.
core::Evaluation combined(std::vector<core::Evaluation> samples, Score threshold);

// Whether the known ones lie on both sides of the threshold, or are fewer than two.
bool straddles(const std::vector<core::Evaluation>& samples, Score threshold);

}  // namespace hone::evaluate
