// The check `regex`: patterns that the output must and must not match.
#pragma once

#include <string>
#include <vector>

#include "hone/core/roles.h"
#include "hone/evaluate/pattern.h"

namespace hone::evaluate {

// Sources of patterns (see pattern.h); each is looked for anywhere in the output.
struct RegexRules {
  std::vector<std::string> must;
  std::vector<std::string> must_not;
};

// A miss scores 0 if something forbidden was found, else the share of `must` that was found. A
// pattern that takes too many steps on an output gives unknown, unless another one missed.
class RegexCheck final : public core::Evaluator {
 public:
  // Throws InvalidInput for a pattern that does not compile, and for no pattern at all.
  explicit RegexCheck(const RegexRules& rules);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  std::vector<Pattern> must_;
  std::vector<Pattern> must_not_;
};

}  // namespace hone::evaluate
