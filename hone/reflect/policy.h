// How revisions are made: strategies, and policies that say what they are shown after what.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hone/core/effects.h"

namespace hone::reflect {

enum class Strategy {
  Regenerate,    // A new text from the task and the reasons; no earlier text is shown.
  FullRewrite,   // The best text and the reasons are shown, all of it is written again.
  TargetedEdit,  // Search/replace edits of the best text.
  Incremental,   // The same for one fault at a time: the most severe, carried longest, first.
  Hybrid         // One of the others, by the scope of what is wrong (plan.h).
};
std::string_view to_string(Strategy strategy);  // "regenerate", "full_rewrite", …
std::optional<Strategy> strategy_from(std::string_view text);

// What a revision is shown beside the task.
enum class Shows {
  AsStrategy,          // What the strategy needs.
  Nothing,             // The task alone: a fresh sample.
  Advice,              // The advice of reflections, neither faults nor earlier text.
  Reasons,             // Faults and advice, no earlier text.
  BestText,            // The best text without a word on it.
  BestTextAndReasons,  // The best text, faults and advice.
  All                  // That, and every earlier version.
};

// A named way to go on. A revision that is not shown the text it would edit or rewrite is made by
// regenerating; one that has a text to show and none to edit, by a full rewrite.
struct Policy {
  std::string name = "default";
  Shows after_failure = Shows::AsStrategy;     // The last attempt is the best, or as good.
  Shows after_repeat = Shows::Reasons;         // It repeats an earlier output.
  Shows after_regression = Shows::AsStrategy;  // It is worse than the best; AsStrategy means by
                                               // another strategy than it was made by (plan.h).
  double hotter_after_repeat = 0.2;            // Added to the temperature for each repeat in a row.
  double hotter_after_regression = 0.0;        // The same for regressions.
  double hottest = 1.2;  // Where that ends; a higher temperature stays as it is.

  bool operator==(const Policy&) const = default;
};

// "default"; "show_best", which always shows the best text except after repeats and regressions,
// and samples hotter after both; "fresh", which draws samples that know nothing of each other;
// "lessons", which starts over from the task and the lessons of all reflections.
std::span<const Policy> policies();
// The policy with this name; throws NotFound with the names there are.
const Policy& policy_named(std::string_view name);

struct RevisionOptions {
  Strategy strategy = Strategy::Regenerate;
  Policy policy;
  // Shown beside what strategy and policy show, newest first; absent: all. Not shown after a
  // repeat, or where a policy shows less than its strategy.
  std::optional<int> include_prior_versions = 0;
  std::optional<int>
      include_reflection_history;             // Reflections that advice comes from; absent: all.
  std::optional<Tokens> max_revision_tokens;  // Longest revision; the lower limit counts.

  bool operator==(const RevisionOptions&) const = default;
};

// Sampling of the next revision: temperature 0.8 unless `sampling` says otherwise, and as much more
// as the policy says for repeats and regressions since the last output that was neither.
core::Sampling revision_sampling(const core::Run& run, const RevisionOptions& options,
                                 core::Sampling sampling);

}  // namespace hone::reflect
