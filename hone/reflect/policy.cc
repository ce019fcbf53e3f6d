#include "hone/reflect/policy.h"

#include <algorithm>
#include <array>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::reflect {
namespace {

constexpr double kTemperature = 0.8;

constexpr std::array<std::string_view, 5> kStrategies{"regenerate", "full_rewrite", "targeted_edit",
                                                      "incremental", "hybrid"};

std::vector<Policy> all_policies() {
  Policy show_best;
  show_best.name = "show_best";
  show_best.after_failure = Shows::BestTextAndReasons;
  show_best.hotter_after_regression = 0.2;
  Policy fresh;
  fresh.name = "fresh";
  fresh.after_failure = fresh.after_repeat = fresh.after_regression = Shows::Nothing;
  Policy lessons;
  lessons.name = "lessons";
  lessons.after_failure = lessons.after_repeat = lessons.after_regression = Shows::Advice;
  return {Policy(), show_best, fresh, lessons};
}

struct Misses {
  int repeats = 0;
  int regressions = 0;
};

// At the end of the run, back to the last output that was neither.
Misses misses_at_the_end(const core::Run& run) {
  Misses misses;
  const core::Attempt* best = run.find_best();
  for (auto attempt = run.attempts.rbegin(); attempt != run.attempts.rend(); ++attempt) {
    if (attempt->duplicate_of) {
      ++misses.repeats;
    } else if (attempt->number > best->number &&
               core::compare(attempt->evaluation, best->evaluation) < 0) {
      ++misses.regressions;
    } else {
      break;
    }
  }
  return misses;
}

}  // namespace

std::string_view to_string(Strategy strategy) {
  return kStrategies[static_cast<std::size_t>(strategy)];
}

std::optional<Strategy> strategy_from(std::string_view text) {
  const auto found = std::ranges::find(kStrategies, text);
  if (found == kStrategies.end()) return std::nullopt;
  return static_cast<Strategy>(found - kStrategies.begin());
}

std::span<const Policy> policies() {
  static const std::vector<Policy> all = all_policies();
  return all;
}

const Policy& policy_named(std::string_view name) {
  const auto found = std::ranges::find(policies(), name, &Policy::name);
  if (found != policies().end()) return *found;
  std::vector<std::string> names;
  for (const Policy& policy : policies()) names.push_back(policy.name);
  throw Error(ErrorKind::NotFound, "no policy for revisions is called `" + std::string(name) + "`",
              "use one of " + join(names, ", "));
}

core::Sampling revision_sampling(const core::Run& run, const RevisionOptions& options,
                                 core::Sampling sampling) {
  const Policy& policy = options.policy;
  const Misses misses = misses_at_the_end(run);
  const double base = sampling.temperature.value_or(kTemperature);
  const double hotter = base + policy.hotter_after_repeat * misses.repeats +
                        policy.hotter_after_regression * misses.regressions;
  sampling.temperature = std::max(base, std::min(hotter, policy.hottest));
  if (options.max_revision_tokens) {
    const Tokens asked = sampling.max_tokens.value_or(*options.max_revision_tokens);
    sampling.max_tokens = std::min(asked, *options.max_revision_tokens);
  }
  return sampling;
}

}  // namespace hone::reflect
