#include "hone/evaluate/combine.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hone::evaluate {
namespace {

using core::Evaluation;
using core::Outcome;

// The number of checks that passed before the first that did not.
std::size_t passed_before_miss(const std::vector<NamedEvaluation>& ran) {
  const auto miss = std::ranges::find_if(ran, [](const NamedEvaluation& check) {
    return check.evaluation.outcome != Outcome::Passed;
  });
  return static_cast<std::size_t>(miss - ran.begin());
}

Outcome outcome_of(const std::vector<NamedEvaluation>& ran) {
  const auto has = [&](Outcome outcome) {
    return std::ranges::any_of(
        ran, [&](const NamedEvaluation& check) { return check.evaluation.outcome == outcome; });
  };
  if (has(Outcome::Failed)) return Outcome::Failed;
  return has(Outcome::Unknown) || ran.empty() ? Outcome::Unknown : Outcome::Passed;
}

double score_of(const Evaluation& evaluation) {
  if (evaluation.outcome == Outcome::Unknown) return 0.0;
  if (evaluation.score) return evaluation.score->value();
  return evaluation.outcome == Outcome::Passed ? 1.0 : 0.0;
}
double low_of(const Evaluation& evaluation) {
  return evaluation.interval ? evaluation.interval->low : score_of(evaluation);
}
double high_of(const Evaluation& evaluation) {
  return evaluation.interval ? evaluation.interval->high : score_of(evaluation);
}

// The chain's value of what `part` is for one check.
double shown(const std::vector<NamedEvaluation>& ran, std::size_t count,
             double (*part)(const Evaluation&)) {
  const std::size_t passed = passed_before_miss(ran);
  double sum = static_cast<double>(passed);
  if (passed < ran.size()) {
    sum += part(ran[passed].evaluation);
  } else {
    sum = 0;
    for (const NamedEvaluation& check : ran) sum += part(check.evaluation);
  }
  return sum / static_cast<double>(count);
}

template <class T>
void append(std::vector<T>& to, std::vector<T> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

template <class T>
void keep_first(std::optional<T>& kept, std::optional<T> other) {
  if (!kept) kept = std::move(other);
}

// Adds what one check found, without its outcome and score.
void merge(Evaluation& whole, NamedEvaluation check, bool is_only) {
  Evaluation& part = check.evaluation;
  for (core::Issue& issue : part.issues) issue.check = check.name;
  if (part.error && !is_only) part.error = check.name + ": " + *part.error;
  const bool scored = part.outcome != Outcome::Unknown;
  whole.checks.push_back(
      {check.name, part.outcome, scored ? part.score : std::nullopt, std::move(part.judge)});
  append(whole.issues, std::move(part.issues));
  append(whole.criteria, std::move(part.criteria));
  append(whole.suggestions, std::move(part.suggestions));
  keep_first(whole.error, std::move(part.error));
  keep_first(whole.value, std::move(part.value));
  whole.usage += part.usage;
}

// How sure the check is that decides: the first miss, or of all that passed the least certain.
void take_certainty(Evaluation& whole, const std::vector<NamedEvaluation>& ran) {
  const std::size_t miss = passed_before_miss(ran);
  whole.samples = 0;
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const Evaluation& part = ran[i].evaluation;
    if (miss < ran.size() && i != miss) continue;
    whole.samples = std::max(whole.samples, part.samples);
    if (part.confidence) {
      whole.confidence = std::min(whole.confidence.value_or(1.0), *part.confidence);
    }
  }
}

}  // namespace

Evaluation combine(std::vector<NamedEvaluation> ran, std::size_t count) {
  Evaluation whole;
  whole.outcome = outcome_of(ran);
  take_certainty(whole, ran);
  if (whole.outcome != Outcome::Unknown) {
    whole.score = Score(shown(ran, count, score_of));
    whole.interval = core::Interval{shown(ran, count, low_of), shown(ran, count, high_of)};
  }
  for (NamedEvaluation& check : ran) merge(whole, std::move(check), count == 1);
  return whole;
}

}  // namespace hone::evaluate
