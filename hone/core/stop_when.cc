#include "hone/core/stop_when.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "hone/base/similarity.h"
#include "hone/core/issues.h"

namespace hone::core {
namespace {

// Gains are differences of decimal fractions: 0.55 - 0.50 has to count as 0.05.
constexpr double kRounding = 1e-9;

bool reaches(double difference, double wanted) { return difference >= wanted - kRounding; }

// What each attempt added to the best score before it (the first score: all of it); nothing for
// unknowns.
struct Gains {
  std::vector<std::optional<double>> by_attempt;
  std::optional<std::size_t> first;  // Index of the first score.
  double best = 0;
};

Gains gains_of(const Run& run) {
  Gains gains;
  for (const Attempt& attempt : run.attempts) {
    const auto score = attempt.evaluation.score;
    if (score && !gains.first) gains.first = gains.by_attempt.size();
    gains.by_attempt.push_back(score ? std::optional(score->value() - gains.best) : std::nullopt);
    if (score) gains.best = std::max(gains.best, score->value());
  }
  return gains;
}

std::optional<Stop> duplicate(const Run& run, int limit) {
  int in_a_row = 0;
  for (const Attempt& attempt : run.attempts) in_a_row = attempt.duplicate_of ? in_a_row + 1 : 0;
  if (in_a_row < limit) return std::nullopt;
  const std::string detail =
      in_a_row == 1 ? fmt::format("attempt {} repeats attempt {}", run.attempts.back().number,
                                  *run.attempts.back().duplicate_of)
                    : fmt::format("the last {} attempts repeat earlier ones", in_a_row);
  return Stop{StopReason::Duplicate, detail};
}

std::vector<double> scores_of(const Run& run) {
  std::vector<double> scores;
  for (const Attempt& attempt : run.attempts) {
    if (attempt.evaluation.score) scores.push_back(attempt.evaluation.score->value());
  }
  return scores;
}

std::string show(const std::vector<double>& scores) {
  std::string text;
  for (const double score : scores)
    text += fmt::format("{}{:.2f}", text.empty() ? "" : ", ", score);
  return text;
}

bool alternates(const std::vector<double>& scores, const OscillationRule& rule) {
  for (std::size_t i = 1; i < scores.size(); ++i) {
    const double change = scores[i] - scores[i - 1];
    if (!reaches(std::abs(change), rule.swing)) return false;
    if (i > 1 && (change > 0) == (scores[i - 1] - scores[i - 2] > 0)) return false;
  }
  return true;
}

// The higher ones of scores that alternate, in their order.
bool peaks_rise(const std::vector<double>& scores, double swing) {
  const std::size_t first = scores.size() > 1 && scores[0] < scores[1] ? 1 : 0;
  for (std::size_t i = first + 2; i < scores.size(); i += 2) {
    if (reaches(scores[i] - scores[i - 2], swing)) return true;
  }
  return false;
}

std::optional<Stop> oscillation(const Run& run, const OscillationRule& rule) {
  std::vector<double> scores = scores_of(run);
  const auto wanted = static_cast<std::size_t>(rule.turns) + 1;
  if (scores.size() < wanted) return std::nullopt;
  scores.erase(scores.begin(), scores.end() - static_cast<std::ptrdiff_t>(wanted));
  if (!alternates(scores, rule) || peaks_rise(scores, rule.swing)) return std::nullopt;
  return Stop{
      StopReason::Oscillation,
      fmt::format("the score went up and down {} times by {:.2f} or more and did not rise: {}",
                  rule.turns, rule.swing, show(scores))};
}

std::optional<Stop> diminishing(const Run& run, const DiminishingRule& rule) {
  const Gains gains = gains_of(run);
  const auto wanted = static_cast<std::size_t>(rule.attempts);
  if (!gains.first || gains.by_attempt.size() - *gains.first - 1 < wanted) return std::nullopt;
  std::vector<double> last;
  for (auto gain = gains.by_attempt.end() - rule.attempts; gain != gains.by_attempt.end(); ++gain) {
    if (!*gain || **gain <= kRounding || reaches(**gain, rule.gain)) return std::nullopt;
    last.push_back(**gain);
  }
  return Stop{StopReason::Diminishing,
              fmt::format("the last {} gains of the best score are below {:.2f}: {}", rule.attempts,
                          rule.gain, show(last))};
}

std::optional<Stop> stable(const Run& run, const StableRule& rule) {
  const auto wanted = static_cast<std::size_t>(rule.attempts);
  if (run.attempts.size() < wanted + 1) return std::nullopt;
  std::vector<double> last;
  for (std::size_t i = run.attempts.size() - wanted; i < run.attempts.size(); ++i) {
    const double alike = similarity(run.attempts[i - 1].output.text, run.attempts[i].output.text);
    if (!reaches(alike, rule.similarity)) return std::nullopt;
    last.push_back(alike);
  }
  return Stop{
      StopReason::Stable,
      fmt::format("outputs that are {:.2f} or more similar to the one before, in a row: {} ({})",
                  rule.similarity, rule.attempts, show(last))};
}

std::set<std::string> labels_of(const Attempt& attempt) {
  std::set<std::string> labels;
  for (const Issue& issue : attempt.evaluation.issues) labels.insert(label(issue));
  return labels;
}

std::optional<Stop> repeated_issues(const Run& run, int limit) {
  if (run.attempts.size() < static_cast<std::size_t>(limit)) return std::nullopt;
  const std::set<std::string> now = labels_of(run.attempts.back());
  const bool same = std::all_of(run.attempts.end() - limit, run.attempts.end(),
                                [&](const Attempt& attempt) { return labels_of(attempt) == now; });
  if (now.empty() || !same) return std::nullopt;
  return Stop{
      StopReason::RepeatedIssues,
      fmt::format("the last {} attempts have the same {}: {}", limit,
                  now.size() == 1 ? "issue" : fmt::format("{} issues", now.size()), *now.begin())};
}

std::optional<Stop> plateau(const Run& run, const PlateauRule& rule) {
  const Gains gains = gains_of(run);
  if (!gains.first) return std::nullopt;
  int without_gain = 0;
  for (std::size_t i = *gains.first + 1; i < gains.by_attempt.size(); ++i) {
    const bool gained = gains.by_attempt[i] && reaches(*gains.by_attempt[i], rule.gain);
    without_gain = gained ? 0 : without_gain + 1;
  }
  if (without_gain < rule.attempts) return std::nullopt;
  return Stop{StopReason::Plateau,
              fmt::format("{} {} did not raise the best score {:.2f} by {:.2f}", without_gain,
                          without_gain == 1 ? "attempt" : "attempts", gains.best, rule.gain)};
}

std::optional<Stop> every(const Run& run, const std::vector<StopWhen>& rules) {
  std::optional<Stop> stop;
  for (const StopWhen& rule : rules) {
    const auto found = rule.decide(run);
    if (!found) return std::nullopt;
    if (stop) {
      stop->detail += "; and " + found->detail;
    } else {
      stop = found;
    }
  }
  return stop;
}

template <class Rule>
std::optional<Stop> ask(std::optional<Stop> (*decide)(const Run&, const Rule&), const Run& run,
                        const std::optional<Rule>& rule) {
  return rule ? decide(run, *rule) : std::nullopt;
}
std::optional<Stop> ask(std::optional<Stop> (*decide)(const Run&, int), const Run& run,
                        const std::optional<int>& rule) {
  return rule ? decide(run, *rule) : std::nullopt;
}

}  // namespace

std::optional<Stop> StopWhen::decide(const Run& run) const {
  if (run.attempts.empty()) return std::nullopt;
  if (auto stop = ask(core::duplicate, run, duplicate)) return stop;
  if (auto stop = ask(core::oscillation, run, oscillation)) return stop;
  if (auto stop = ask(core::diminishing, run, diminishing)) return stop;
  if (auto stop = ask(core::stable, run, stable)) return stop;
  if (auto stop = ask(core::repeated_issues, run, repeated_issues)) return stop;
  if (auto stop = ask(core::plateau, run, plateau)) return stop;
  for (const StopWhen& rule : any) {
    if (auto stop = rule.decide(run)) return stop;
  }
  return every(run, all);
}

}  // namespace hone::core
