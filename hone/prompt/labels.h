// Labelled verdicts in text: "Score: 8/10", "**Verdict:** pass".
//
// A label counts where its line begins with it, or where it follows another label; then a pass can
// rest on it. A label inside of a sentence can only contradict. Words without a label ("valid", "no
// issues") never count.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::prompt {

struct Labels {
  std::vector<bool> flags;     // Of passed, pass, valid and verdict, in order.
  std::vector<double> scores;  // Converted from their scales; may lie outside [0, 1].
  bool stated = false;         // At least one of them stands where a label counts.
  bool unreadable = false;     // A label that counts has a value that cannot be read.
  std::string rest;            // The text without labels that count and their values.
};

Labels labels_in(std::string_view text);

// true for "pass", "valid", "yes"; false for "fail", "invalid", "no"; absent for other words.
std::optional<bool> flag_from(std::string_view word);

}  // namespace hone::prompt
