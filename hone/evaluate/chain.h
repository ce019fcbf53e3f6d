// Several checks as one evaluator.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hone/core/roles.h"

namespace hone::evaluate {

struct NamedCheck {
  std::string name;  // What users call it: "schema", or its `name:` in a task file.
  std::unique_ptr<core::Evaluator> evaluator;
  bool is_judge = false;  // It asks a model.
  bool always = false;    // A judge that keeps its place and is asked whatever came before.
};

// Asks the checks in their order, judges after all others unless `always`. A judge is not asked
// once a check has missed or could not tell; the others always are, so that all their issues are
// known. combine.h says what the whole is. The effects of a check stand under "<index>-<name>" in
// the order in which they are asked, from 1.
//
// A check that throws is unknown; cancellation, an exhausted budget and the end of the run's time
// are passed on.
class Chain final : public core::Evaluator {
 public:
  // Names that stand twice get "-2", "-3"; an empty one is "check". Throws InvalidInput for no
  // checks.
  explicit Chain(std::vector<NamedCheck> checks);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

  // Names in the order in which the checks are asked.
  std::vector<std::string> names() const;

 private:
  std::vector<NamedCheck> checks_;
};

}  // namespace hone::evaluate
