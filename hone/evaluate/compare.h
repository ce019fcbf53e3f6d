// The check `compare`: a model says whether the output is better than another text.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/evaluate/judge.h"

namespace hone::evaluate {

// A text that does the task well. An output as good as it passes.
struct Reference {
  std::string text;
};
// The best other attempt of the run so far. An output as good as it fails: it is no gain. The first
// attempt is unknown, for there is nothing to compare it with: neither good nor bad.
struct PriorVersion {};

struct CompareOptions {
  std::string name = "compare";  // Of the check, for its issues.
  std::variant<Reference, PriorVersion> against = PriorVersion();
  std::string rubric;       // What "better" means, in the user's words.
  core::Sampling sampling;  // Temperature 0 and 512 tokens where it leaves them open.
};

// Asks twice, with the texts in either order, and believes only what both answers say: 1 for the
// output, 0 against it, 0.5 for a tie. Answers that change with the order leave the outcome
// unknown, so a judge that prefers a position decides nothing. The same text is a tie without a
// call, and an empty output fails without one. The calls stand under `order/1/ask/<n>`, where the
// output is A, and `order/2/ask/<n>`. Threads: as Evaluator. Lifetime: the model outlives it.
class CompareCheck final : public core::Evaluator {
 public:
  // Throws InvalidInput for a reference without text.
  CompareCheck(core::Model& model, CompareOptions options);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

  core::JudgeIdentity identity() const;

 private:
  struct Matter;
  struct Opinion;

  async<Opinion> opinion(core::Context context, Matter matter);
  core::Evaluation tie(std::string reason) const;
  core::Evaluation conclude(const Opinion& first, const Opinion& second) const;
  core::Evaluation by_this_judge(core::Evaluation evaluation) const;

  core::Model& model_;
  CompareOptions options_;
};

}  // namespace hone::evaluate
