// A judge: a model that says whether an output does the task.
#pragma once

#include <string>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/prompt/prompts.h"

namespace hone::evaluate {

struct JudgeOptions {
  std::string name = "judge";  // Of the check, for its issues.
  std::string rubric;          // What the judge goes by, in the user's words.
  std::string criteria;        // "clarity, tone"; empty without a rubric: those of the task's type.
  Score threshold{0.8};        // From here on an output passes; inclusive.
  int samples = 1;             // Verdicts asked for, at least 1.
  core::Sampling sampling;     // Temperature 0 and 512 tokens where it leaves them open; a seed is
                               // the base for one seed per call.
};

// Asks once for each sample, and once more where the reply is no verdict (unreadable,
// contradictory, out of range, refused, cut off); then the outcome is unknown. It is unknown too
// when the model does not answer: Unavailable, Overloaded, or its own time limit. Other failures
// are thrown. An empty output fails without a call.
//
// Several samples give the mean of the scores and their range; the output passes if the mean
// reaches the threshold and more than half of the verdicts pass.
//
// The calls stand under `ask/1` and `ask/2`, with several samples under `sample/<k>/ask/<n>`. The
// hash of the prompt's identity covers prompt text, model name, rubric, criteria and threshold.
// Threads: as Evaluator. Lifetime: the model outlives it.
class Judge final : public core::Evaluator {
 public:
  // Throws InvalidInput for fewer than one sample.
  explicit Judge(core::Model& model, JudgeOptions options = {});

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  struct Matter;
  struct Question;
  struct Answer;

  async<core::Evaluation> sample(core::Context context, Matter matter);
  async<Answer> answer(core::Context context, Question question);
  async<void> ask(core::Context context, const Question& question, Answer& answer);
  prompt::Prompt prompt_for(const Matter& matter, const std::string& problem) const;
  core::ModelRequest request(const core::Context& context, const Question& question) const;
  Answer read(const core::ModelReply& reply) const;

  core::Model& model_;
  JudgeOptions options_;
};

}  // namespace hone::evaluate
