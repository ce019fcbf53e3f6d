// What the tests of checks share.
#pragma once

#include <string>
#include <utility>

#include "hone/async/run_sync.h"
#include "hone/core/testing.h"

namespace hone::evaluate {

inline async<void> evaluate_into(core::Evaluation& evaluation, core::Context context,
                                 core::Evaluator& evaluator, const core::Output& output) {
  const core::Run run;
  evaluation = co_await evaluator.evaluate(std::move(context), run, output);
}

// The evaluation of a complete output with this text; throws what the evaluator throws.
inline core::Evaluation evaluation_of(core::Evaluator& evaluator, std::string text,
                                      core::Budget budget = {}) {
  core::TestScene scene(std::move(budget));
  const core::Output output{.text = std::move(text)};
  core::Evaluation evaluation;
  run_sync([&] { return evaluate_into(evaluation, scene.context(), evaluator, output); });
  return evaluation;
}

}  // namespace hone::evaluate
