// The prompts of judges that do not ask for one verdict in JSON: a word, scores by criterion, the
// better one of two texts.
#pragma once

#include <string>
#include <vector>

#include "hone/core/run.h"
#include "hone/prompt/criteria.h"
#include "hone/prompt/prompts.h"

namespace hone::prompt {

// `problem` says why the last reply could not be used, as half a sentence; empty at first.

// For yes or no as the first word of the answer, whose probability a model may tell, with one fault
// in each line after a no.
Prompt judge_word_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric,
                         const std::string& problem);

// For a score by each of these criteria. Only the text of the rubric is shown.
Prompt criteria_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric,
                       const std::vector<CriterionText>& criteria, const std::string& problem);

struct Pair {
  std::string first;   // Called A,
  std::string second;  // and B.
};
// For the better one of two texts. Nothing says which of them is the run's. Only the text of the
// rubric is shown.
Prompt compare_prompt(const core::Run& run, const Pair& texts, const Rubric& rubric,
                      const std::string& problem);

// {"passed":false,"score":0.3,"reason":"no total"}
std::string verdict_line(const Example& example);

}  // namespace hone::prompt
