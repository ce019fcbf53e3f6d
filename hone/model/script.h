// Scripts: files of rules that say what a `scripted:` model answers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/units.h"
#include "hone/core/effects.h"

namespace hone::model {

// How a scripted call fails.
struct ScriptedFailure {
  enum class Kind { Timeout, Refusal, Length, Disconnect, Status };
  Kind kind = Kind::Timeout;
  int status = 0;  // Of HTTP, 400 to 599.
  std::optional<std::chrono::milliseconds> retry_after;

  bool operator==(const ScriptedFailure&) const = default;
};

// One answer and the requests that it fits. What is absent or empty fits all.
struct ScriptRule {
  std::optional<core::Role> role;
  std::optional<int> attempt;  // The attempt being made or judged.
  std::string contains;        // Text in the last message.
  std::string reply;
  std::vector<core::ToolCall> tool_calls;  // Beside the reply, or instead of one.
  std::optional<core::Usage> usage;        // Absent: estimated from the texts.
  Duration delay{};                        // Before the answer or failure.
  bool repeat = false;                     // Not used up by its first use.
  std::optional<ScriptedFailure> failure;

  bool operator==(const ScriptRule&) const = default;
};

// Reads a script: a YAML list of rules. A reply that is no text is written as JSON. Throws
// InvalidInput with file, line and column.
std::vector<ScriptRule> parse_script(std::string_view text, std::string_view file);
// The same from a file; InvalidInput too if it cannot be read.
std::vector<ScriptRule> read_script(const std::string& file);

}  // namespace hone::model
