// Evaluates one output so that invariants 4 and 5 hold whatever the evaluator does.
#pragma once

#include "hone/core/roles.h"

namespace hone::core {

// The evaluation of `output`, which is not in `run` yet:
// an incomplete output is not judged (unknown), an identical one carries its original's evaluation
// at no cost, and an evaluator that fails gives unknown. Cancellation and exhausted budgets or
// deadlines of the run are rethrown.
async<Evaluation> judged(Context context, const Run& run, Evaluator& evaluator,
                         const Output& output);

}  // namespace hone::core
