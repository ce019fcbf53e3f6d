// What an evaluator found about one output.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/usage.h"

namespace hone::core {

// `Unknown` is an evaluator that could not tell: it erred, refused, timed out or could not be read.
// It ranks between the others and never carries a score.
enum class Outcome { Failed, Unknown, Passed };
std::string_view to_string(Outcome outcome);  // "failed", "unknown", "passed".
std::optional<Outcome> outcome_from(std::string_view text);

enum class Severity { Error, Warning };
std::string_view to_string(Severity severity);

// One thing that is wrong.
struct Issue {
  std::string path;         // JSON pointer into the output ("" for all of it).
  std::optional<int> line;  // Line of the output, from 1, where text has no pointer.
  std::string message;      // A sentence for the reviser.
  std::string kind;         // "required", "type", "contains", "command", "judge", …
  Severity severity = Severity::Error;
  std::string check;  // Name of the check that found it.

  bool operator==(const Issue&) const = default;
};

// Who judged, and by what: two verdicts compare only where both are the same.
struct JudgeIdentity {
  std::string model;   // As users write it.
  std::string rubric;  // First 12 digits of the SHA-256 over all that the verdict rests on beside
                       // the output: rubric, criteria, examples, threshold, kind of score.

  bool operator==(const JudgeIdentity&) const = default;
};

// The part of an evaluation that one check of a chain contributed.
struct CheckResult {
  std::string name;
  Outcome outcome = Outcome::Unknown;
  std::optional<Score> score;
  std::optional<JudgeIdentity> judge = {};  // Of a check that asked a model.

  bool operator==(const CheckResult&) const = default;
};

// Bounds of a score; equal when one sample decided.
struct Interval {
  double low = 0;
  double high = 0;

  bool operator==(const Interval&) const = default;
};

struct Evaluation {
  Outcome outcome = Outcome::Unknown;
  std::optional<Score> score;  // Absent exactly when the outcome is unknown.
  std::optional<Interval> interval;
  int samples = 1;  // Verdicts that the score rests on.
  std::optional<double> confidence;
  std::vector<CheckResult> checks;  // Those that ran, in order.
  std::vector<std::pair<std::string, Score>> criteria;
  std::vector<Issue> issues;
  std::vector<std::string> suggestions;
  std::optional<std::string> error;    // Why the outcome is unknown.
  std::optional<JsonText> value;       // The output as a schema check read it, coerced.
  std::optional<JudgeIdentity> judge;  // Of a single check that asked a model; a chain has it in
                                       // `checks`.
  Usage usage;                         // What evaluating cost; zero when carried over.

  bool operator==(const Evaluation&) const = default;
};

Evaluation passed(Score score = Score(1.0));
Evaluation failed(Score score, std::vector<Issue> issues);
Evaluation unknown(std::string error);

// Orders evaluations: negative when `left` is worse, positive when it is better, 0 when neither.
// By outcome (failed, unknown, passed), then by the number of checks passed before the first miss,
// then by the score of the check that missed.
int compare(const Evaluation& left, const Evaluation& right);

}  // namespace hone::core
