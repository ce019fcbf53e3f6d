// The check `criteria`: several scores, each with its weight, as one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/evaluate/judge.h"

namespace hone::evaluate {

struct Criterion {
  std::string name;
  std::string description;         // For the judge.
  double weight = 1;               // Against the others.
  std::optional<Score> threshold;  // From here on it is met; inclusive. Absent: any score.
  std::unique_ptr<core::Evaluator> evaluator;  // Null: the judge scores it, together with all
                                               // others that have none.
};

struct CriteriaOptions {
  std::string name = "criteria";  // Of the check.
  std::string rubric;             // What the judge goes by beside the criteria.
  Score threshold{0.8};           // For the weighted score; inclusive.
  core::Sampling sampling;        // Temperature 0 and 1,024 tokens where it leaves them open.
  core::Model* judge = nullptr;   // Outlives the check. May be null if every criterion has an
                                  // evaluator.
};

// An output passes if every criterion with a threshold reaches it and the mean of the scores by
// weight reaches that of the check. Each criterion that misses gives an issue.
//
// Criteria with an evaluator are scored first, under `criterion/<k>`; the others in one call of the
// judge, under `ask/1`, and once more under `ask/2` where one of them has no score that can be
// read. What is still missing then leaves the outcome unknown, unless a criterion that is known
// misses its threshold. Criteria that nobody asked for do not count and are told as a suggestion.
// Threads: as Evaluator.
class CriteriaCheck final : public core::Evaluator {
 public:
  // Throws InvalidInput for no criteria, for one without a name, for two of one name, for a weight
  // that is not above 0 or not finite, and for a criterion that needs a judge where there is none.
  CriteriaCheck(std::vector<Criterion> criteria, CriteriaOptions options);
  ~CriteriaCheck() override;

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

  // The model's name is empty if no judge is asked.
  core::JudgeIdentity identity() const;

 private:
  struct Findings;

  async<void> score_by_evaluators(core::Context context, const core::Run& run,
                                  const core::Output& output, Findings& findings);
  async<void> score_by_judge(core::Context context, const core::Run& run,
                             const core::Output& output, Findings& findings);
  Score total(const Findings& findings) const;
  std::optional<Score> missed(const Criterion& criterion, Score score, bool whole_is_low) const;
  core::Evaluation conclude(Findings findings) const;
  std::vector<std::string> judged_names() const;

  std::vector<Criterion> criteria_;
  CriteriaOptions options_;
};

// The default criteria of a task type (see prompt/criteria.h), equal in weight, without thresholds
// of their own, for the judge.
std::vector<Criterion> default_criteria(std::string_view task_type);

}  // namespace hone::evaluate
