// The checks `python`, `lua` and `prolog`: code of the user's judges the output.
#pragma once

#include <optional>
#include <string>

#include "hone/core/code.h"
#include "hone/core/roles.h"

namespace hone::evaluate {

// Where the code stands, for messages.
struct CodePlace {
  std::string file;  // Empty: the code has no file.
  int line = 1;      // Of its first line.
  int column = 1;    // In which its lines begin.

  bool operator==(const CodePlace&) const = default;
};

struct CodeOptions {
  core::Language language = core::Language::Python;
  std::string code;
  CodePlace place;
  core::CodeLimits limits;
  bool trusted = false;
  std::optional<Score> threshold;  // Of every score. Absent: of a bare number 0.5, …
  Score accept{0.8};               // … and of the score in a mapping this.
};

// The code sees `output` and `reflection_output` (the text), `state` (the input of the task, and in
// it `output`), `reflection_errors` (the issues of the last attempt), `reflection_iteration` (the
// number of this one) and `reflection_history` (all before it). It returns true or false, a number
// from 0 to 1, or a mapping that is read as a judge's verdict is. Anything else, nothing at all,
// errors of the code, and its end by a limit are unknown, with the reason.
class CodeCheck final : public core::Evaluator {
 public:
  // `runner` outlives the check. Throws InvalidInput for empty code.
  CodeCheck(CodeOptions options, core::CodeRunner& runner);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  CodeOptions options_;
  core::CodeRunner& runner_;
};

// What a result of such code amounts to.
core::Evaluation evaluation_of(const core::CodeResult& result, const CodeOptions& options);
// What the code sees, as one JSON object.
JsonText variables_for(const core::Run& run, const core::Output& output, int attempt);

}  // namespace hone::evaluate
