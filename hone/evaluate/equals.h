// The check `equals`: the output must be one known value.
#pragma once

#include "hone/base/json.h"
#include "hone/core/roles.h"

namespace hone::evaluate {

// A string is compared as text, without blanks around it. Any other value is compared as JSON (see
// json_difference.h), with or without a fence around the output. A miss scores 0; its issues say
// where the output differs and never what was expected, which would be telling the answer.
class EqualsCheck final : public core::Evaluator {
 public:
  explicit EqualsCheck(JsonText expected);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  JsonText expected_;
};

}  // namespace hone::evaluate
