#include "hone/evaluate/samples.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "hone/base/error.h"

namespace hone::evaluate {
namespace {

bool is_known(const core::Evaluation& evaluation) {
  return evaluation.outcome != core::Outcome::Unknown;
}

void merge_texts(core::Evaluation& whole, const core::Evaluation& part) {
  for (const core::Issue& issue : part.issues) {
    if (std::ranges::find(whole.issues, issue) == whole.issues.end()) whole.issues.push_back(issue);
  }
  for (const std::string& suggestion : part.suggestions) {
    const auto& all = whole.suggestions;
    if (std::ranges::find(all, suggestion) == all.end()) whole.suggestions.push_back(suggestion);
  }
}

// Sorted, of those that are known.
std::vector<double> scores_of(const std::vector<core::Evaluation>& samples) {
  std::vector<double> scores;
  for (const core::Evaluation& sample : samples) {
    if (is_known(sample)) scores.push_back(sample.score.value().value());
  }
  std::ranges::sort(scores);
  return scores;
}

double median_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : std::midpoint(sorted[half - 1], sorted[half]);
}

// One evaluation from those of several samples, all of them known.
core::Evaluation median_of(const std::vector<core::Evaluation>& samples, Score threshold) {
  const std::vector<double> scores = scores_of(samples);
  const auto passes =
      std::ranges::count(samples, core::Outcome::Passed, &core::Evaluation::outcome);
  const Score median(median_of(scores));
  const bool passed = median >= threshold && 2 * passes > std::ssize(samples);
  core::Evaluation whole = passed ? core::passed(median) : core::failed(median, {});
  whole.interval = core::Interval{scores.front(), scores.back()};
  whole.samples = static_cast<int>(samples.size());
  for (const core::Evaluation& sample : samples) {
    if (sample.outcome == whole.outcome) merge_texts(whole, sample);
  }
  return whole;
}

}  // namespace

core::Evaluation combined(std::vector<core::Evaluation> samples, Score threshold) {
  HONE_CHECK(!samples.empty());
  if (samples.size() == 1) return std::move(samples.front());
  std::vector<core::Evaluation> known;
  std::ranges::copy_if(samples, std::back_inserter(known), is_known);
  return known.empty() ? std::move(samples.front()) : median_of(known, threshold);
}

bool straddles(const std::vector<core::Evaluation>& samples, Score threshold) {
  const std::vector<double> scores = scores_of(samples);
  if (scores.size() < 2) return true;
  return scores.front() < threshold.value() && scores.back() >= threshold.value();
}

}  // namespace hone::evaluate
