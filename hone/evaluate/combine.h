// One evaluation from those of several checks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hone/core/evaluation.h"

namespace hone::evaluate {

struct NamedEvaluation {
  std::string name;  // Of the check; unique.
  core::Evaluation evaluation;
};

// `ran` are the evaluations of the checks that ran, in order; `count` is how many the chain has.
//
// Failed beats unknown beats passed. The score of a failure with k checks passed before the first
// miss, which scored s, is (k + s) / count; the score of a pass is the mean of all scores, which is
// the same for a chain whose last check alone scored less than 1. So a single check keeps its own
// score, and within one outcome a better evaluation (core::compare) never shows a lower score.
// Everything else is merged: issues carry the check's name, the first error and the first value are
// kept, usage is added up.
core::Evaluation combine(std::vector<NamedEvaluation> ran, std::size_t count);

}  // namespace hone::evaluate
