// Reads a judge's reply. What is not a clear verdict is unreadable: nothing is guessed from words
// such as "valid" or "no issues", and no score is clamped.
//
// A verdict is a JSON object (the whole reply, in a fence, or in prose) with at least one of
// `passed`, `pass`, `valid`, `verdict` and `score`, or labelled text such as "Score: 8/10" and
// "Verdict: pass". Types are strict: "false" is false, 1 and 0 are scores but no flags. Where flag
// and score are given, an output passes iff the flag is true and the score reaches the threshold; a
// flag alone has score 1 or 0; several verdicts or labelled scores must agree. Scores on a stated
// scale
// ("8/10", "85 %", "4 out of 5") convert, others must lie in [0, 1].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/evaluation.h"

namespace hone::prompt {

// What a reply says, before a threshold decides. At least one of `passed` and `score` is there.
struct Verdict {
  std::optional<bool> passed;
  std::optional<Score> score;
  std::string reason;
  std::vector<core::Issue> issues;  // Without check and kind.
  std::vector<std::string> suggestions;
  std::optional<double> confidence;  // In [0, 1].

  bool operator==(const Verdict&) const = default;
};

// Why a reply is no verdict, as half a sentence that follows "could not be used:".
struct Unreadable {
  std::string problem;

  bool operator==(const Unreadable&) const = default;
};

using ReadVerdict = std::variant<Verdict, Unreadable>;

ReadVerdict read_verdict(std::string_view reply);
// The same for a value that code returned: one object, no text.
ReadVerdict read_verdict(const Json& value);

struct Ruling {
  Score threshold{0.8};  // Inclusive.
  std::string check;     // Name of the check, for its issues.
};

// The evaluation that a verdict amounts to; unreadable where its flag and its score contradict each
// other. A failed one has at least one issue.
std::variant<core::Evaluation, Unreadable> decide(const Verdict& verdict, const Ruling& ruling);

}  // namespace hone::prompt
