// A run as text for people: one line a step, at most 80 columns.
#pragma once

#include <string>

#include "hone/core/run.h"

namespace hone::core {

struct TranscriptOptions {
  bool whole = false;  // Every output, issue and reflection in full below its line.
};

std::string transcript(const Run& run, const TranscriptOptions& options = {});

// The lines of one step, for views that show a run as it goes.
std::string recall_line(const Run& run);
std::string attempt_line(const Attempt& attempt);
std::string evaluation_line(const Attempt& attempt);   // With the first issue.
std::string evaluation_lines(const Attempt& attempt);  // With all of them.
std::string reflection_line(const Attempt& attempt);
std::string stop_line(const Run& run);

}  // namespace hone::core
