// Attempts that are made at once.
#pragma once

#include <exception>
#include <vector>

#include "hone/core/roles.h"

namespace hone::core {

// One attempt of a round: its output, evaluation and usage, or what ended it.
struct Candidate {
  Attempt attempt;  // Not recorded yet: number, output, evaluation, started and usage are set.
  std::exception_ptr failure;

  bool has_output() const { return attempt.output.finish != Finish::Interrupted; }
};

// The context of attempt `number`, which counts what it spends in `scope`.
Context context_of_attempt(const Context& run_context, int number, Ledger& scope);

// Makes and judges `count` attempts at once, from the best of `run` as it is now. The first that
// passes cancels the others. A candidate that failed or was cancelled has an unknown evaluation
// that says so, and an interrupted output if there was none yet. Candidates come by number, in
// whatever order they arrived. They notice a cancellation in effects alone, where it is recorded:
// so a replay ends each of them where it ended first.
async<std::vector<Candidate>> make_round(Context run_context, const Run& run, Roles roles,
                                         int count);

}  // namespace hone::core
