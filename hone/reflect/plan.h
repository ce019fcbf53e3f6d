// Which way the next revision is made, from the run alone: no call is made here.
#pragma once

#include <string>

#include "hone/core/run.h"
#include "hone/prompt/revision.h"
#include "hone/reflect/policy.h"

namespace hone::reflect {

// Where hybrid edits and where it starts anew.
inline constexpr std::size_t kMostLocatedIssues = 3;
inline constexpr double kLeastScoreToKeep = 0.5;

struct Plan {
  Strategy strategy = Strategy::Regenerate;  // Never Hybrid.
  bool fresh = false;                        // The task alone is shown.
  prompt::RevisionView view;
  std::string why;  // What led to it, where it is not simply what was asked for.

  bool operator==(const Plan&) const = default;
};

// What became of the last attempt decides what is shown (Policy).
//
// After a regression the next strategy starts from the best text again and is another one than the
// last attempt was made by: after incremental or targeted_edit full_rewrite, after full_rewrite
// regenerate. Regenerate, which starts from no text, stays.
//
// Hybrid regenerates after a repeat and while the best score is below kLeastScoreToKeep or absent;
// edits when the best attempt has 1 to kMostLocatedIssues issues that all have a place; rewrites
// otherwise. Without an issue to work on incremental rewrites; without a text to edit (the best
// output is blank) every strategy regenerates.
Plan plan_revision(const core::Run& run, const RevisionOptions& options);

// The issue of the best attempt that incremental works on: errors before warnings, then what most
// attempts had, then the first. Null if it has none.
const core::Issue* next_issue(const core::Run& run);

// The strategy that an output was really made by: the first word of Output::strategy.
std::optional<Strategy> strategy_of(const core::Output& output);

}  // namespace hone::reflect
