// The check `contains`: texts that the output must contain, letter by letter.
#pragma once

#include <string>
#include <vector>

#include "hone/core/roles.h"

namespace hone::evaluate {

// The score of a miss is the share of texts that were found.
class ContainsCheck final : public core::Evaluator {
 public:
  // Throws InvalidInput for no texts and for an empty one.
  explicit ContainsCheck(std::vector<std::string> texts);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  std::vector<std::string> texts_;
};

}  // namespace hone::evaluate
