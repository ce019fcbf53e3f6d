// Evaluates one output so that invariants 4 and 5 hold whatever the evaluator does.
#pragma once

#include <exception>

#include "hone/base/error.h"
#include "hone/core/roles.h"

namespace hone::core {

// Failures after which no other output could be judged either: a cancellation, an exhausted budget,
// the end of the run's time, and what somebody has to change first (InvalidInput, NotFound,
// Unsupported). Every other failure of an evaluator leaves one output unjudged.
bool ends_the_run(const Context& context, const Error& error);

// The model of one call gave no answer: it could not be reached, or its own time ran out. Other
// calls may still succeed.
bool is_silence(const Context& context, const Error& error);

struct Judged {
  Evaluation evaluation;
  std::exception_ptr ends_run;  // What ended the run while judging; the evaluation is unknown then.
};

// The evaluation of `output`, which is not in `run` yet: an incomplete output is not judged
// (unknown), an identical one carries its original's evaluation at no cost, and an evaluator that
// fails gives unknown. The output was paid for and is kept in every case; only cancellation is
// thrown.
async<Judged> judged(Context context, const Run& run, Evaluator& evaluator, const Output& output);

}  // namespace hone::core
