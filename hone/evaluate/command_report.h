// What a failing check program says about the output. Readers of other formats (test runners)
// belong beside this one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hone/core/effects.h"
#include "hone/core/evaluation.h"

namespace hone::evaluate {

struct Report {
  std::optional<Score> score;  // How much of it was right.
  std::vector<core::Issue> issues;
  std::vector<std::string> suggestions;
};

// Reads a JSON object that is all of stdout or its last line: `score` (a number from 0 to below 1),
// `issues` or `errors` (texts, or objects with message, path, line, kind, severity), `reason` or
// `feedback` (a text), `suggestions` (texts). What is not of its type is passed over. Without
// issues there, every line of stderr and stdout is one; of many, the first and the last.
Report report_of(const core::ProcessResult& result);

inline constexpr std::size_t kMostIssues = 20;

}  // namespace hone::evaluate
