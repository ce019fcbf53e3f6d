// A judge: a model that says whether an output does the task.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/prompt/prompts.h"

namespace hone::evaluate {

struct Question;

// Where a judge's score comes from.
enum class ScoreFrom {
  Auto,         // The probability, if the model tells one; else what it states.
  Probability,  // It is asked for yes or no, and the score is the probability of yes against no. A
                // model that tells none is taken at its word: 1 or 0.
  Stated,       // It is asked for a verdict in JSON, and the score is the one in it.
};

struct JudgeOptions {
  std::string name = "judge";  // Of the check, for its issues.
  std::string rubric;          // What the judge goes by, in the user's words.
  std::string criteria;        // "clarity, tone"; empty without a rubric: those of the task's type.
  std::vector<prompt::Example> examples;  // Shown with their verdicts.
  Score threshold{0.8};                   // From here on an output passes; inclusive.
  int samples = 1;                        // Verdicts asked for, at least 1.
  bool sequential = false;  // Asks for two, then for more only while the interval of their scores
                            // straddles the threshold, up to `samples`.
  ScoreFrom score = ScoreFrom::Auto;
  bool tells_probabilities = false;  // The model can give them (see ModelReply::probabilities).
  core::Sampling sampling;  // Temperature 0 and 512 tokens where it leaves them open; a seed
                            // is the base for one seed per call.
};

// Asks once for each sample, and once more where the reply is no verdict (unreadable,
// contradictory, out of range, refused, cut off); then the outcome is unknown. It is unknown too
// when the model does not answer: Unavailable, Overloaded, or its own time limit. Other failures
// are thrown. An empty output fails without a call.
//
// Several samples give the median of the scores and their range; the output passes if the median
// reaches the threshold and more than half of the verdicts pass.
//
// The calls stand under `ask/1` and `ask/2`, with several samples under `sample/<k>/ask/<n>`. The
// hash of the prompt's identity covers the prompt's text and the judge's identity.
// Threads: as Evaluator. Lifetime: the model outlives it.
class Judge final : public core::Evaluator {
 public:
  // Throws InvalidInput for fewer than one sample, and for an example without a verdict or with one
  // that contradicts itself.
  explicit Judge(core::Model& model, JudgeOptions options = {});

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

  core::JudgeIdentity identity() const;

 private:
  struct Matter;

  async<core::Evaluation> sample(core::Context context, Matter matter);
  bool goes_on(const std::vector<core::Evaluation>& samples) const;
  bool asks_for_a_word() const;
  std::string rubric_hash() const;
  // `evaluation` takes what the reply says.
  Question question_about(const Matter& matter, core::Evaluation& evaluation) const;
  prompt::Prompt prompt_for(const Matter& matter, const std::string& problem) const;
  std::optional<std::string> read(const core::ModelReply& reply,
                                  core::Evaluation& evaluation) const;

  core::Model& model_;
  JudgeOptions options_;
  std::string rubric_hash_;
};

}  // namespace hone::evaluate
