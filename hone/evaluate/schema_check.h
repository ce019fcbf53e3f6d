// The check `schema`: the output must be JSON that fits a schema.
#pragma once

#include <cstddef>

#include "hone/core/roles.h"
#include "hone/schema/schema.h"

namespace hone::evaluate {

// Takes the JSON out of the output (output_json.h), gives values the type that the schema demands
// where nothing is lost, and checks. The score is the share of the schema's assertions that hold;
// an output without JSON scores 0. Each issue has its JSON pointer, and the line of the output on
// which that value begins; what is missing has the line of what it is missing in. A pass carries
// the value, as it was checked.
class SchemaCheck final : public core::Evaluator {
 public:
  explicit SchemaCheck(schema::Schema schema);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

  static constexpr std::size_t kMostIssues = 100;

 private:
  schema::Schema schema_;
};

}  // namespace hone::evaluate
