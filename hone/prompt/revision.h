// The prompts of revisers.
#pragma once

#include <optional>
#include <string>

#include "hone/core/run.h"
#include "hone/prompt/prompts.h"

namespace hone::prompt {

// Longest earlier versions together, in bytes; the oldest go first.
inline constexpr std::size_t kLongestVersions = 24'000;

// What a reviser is shown beside the task.
struct RevisionView {
  bool reasons = true;  // Faults and advice.
  bool faults = true;   // False: of these, the advice alone, but for what recalled lessons say.
  std::optional<int> versions{
      0};  // Newest earlier versions, the best one's text aside; absent: all.
  std::optional<int> reflections;   // Advice of the newest reflections; absent: of all.
  std::optional<core::Issue> only;  // The one fault to work on, instead of all of them.
  std::string problem = {};         // Why the last reply could not be used, as half a sentence.

  bool operator==(const RevisionView&) const = default;
};

// The task and what the view says, but not the best attempt's text.
Prompt regenerate_prompt(const core::Run& run, const RevisionView& view = {});

// With the best attempt's text; asks for all of it, improved. `run` has an attempt.
Prompt full_rewrite_prompt(const core::Run& run, const RevisionView& view = {});

// With the best attempt's text; asks for edits of it (edits.h). `run` has an attempt.
Prompt targeted_edit_prompt(const core::Run& run, const RevisionView& view = {});

}  // namespace hone::prompt
