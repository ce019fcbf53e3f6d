// What a failing check program says about the output.
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
// issues there, each failing test is one where a test runner is recognised (test_report.h), named
// with file and line in its message: they are those of the test, not of the output. Else every line
// of stderr and stdout is one; of many, the first and the last.
Report report_of(const core::ProcessResult& result);

inline constexpr std::size_t kMostIssues = 20;
inline constexpr std::size_t kMostTests = 50;  // Then one says how many more there are.

}  // namespace hone::evaluate
