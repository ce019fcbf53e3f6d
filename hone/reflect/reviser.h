// Revisers that ask a model for the next output.
#pragma once

#include <optional>
#include <string>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/reflect/plan.h"
#include "hone/reflect/policy.h"

namespace hone::reflect {

// Revises by the strategy and the policy of its options; plan.h says which way is taken when.
//
// Edits that do not fit are asked for once more, with what is wrong about them; then the whole text
// is. An empty text is asked for once more, then it is the output as it is. The calls stand under
// `ask/1`, `ask/2`, …
//
// Output::strategy says what was really done: "full_rewrite after targeted_edit (hybrid: 2 of 2
// issues have a place)" is a rewrite because edits did not fit that were tried because of the
// scope. Threads and lifetime: as ModelGenerator.
class ModelReviser : public core::Reviser {
 public:
  // Sampling: revision_sampling(); a seed is a base and `schema` is asked for as in ModelGenerator,
  // the latter where the whole text is written.
  explicit ModelReviser(core::Model& model, RevisionOptions options = {},
                        core::Sampling sampling = {}, std::optional<JsonText> schema = {});

  async<core::Output> revise(core::Context context, const core::Run& run) override;

 private:
  // What one revision is made from.
  struct Work {
    const core::Run& run;
    Plan plan;
    core::Sampling sampling;
    int ask = 1;  // The number of the next call.
  };

  async<std::optional<core::Output>> edited(core::Context context, Work& work);
  async<core::Output> written(core::Context context, Work& work);
  async<core::Output> ask(core::Context context, Work& work, prompt::Prompt prompt);

  core::Model& model_;
  RevisionOptions options_;
  core::Sampling sampling_;
  std::optional<JsonText> schema_;
};

// One strategy, with everything else as it is by default.
class Regenerate final : public ModelReviser {
 public:
  explicit Regenerate(core::Model& model, core::Sampling sampling = {})
      : ModelReviser(model, {.strategy = Strategy::Regenerate}, sampling) {}
};
class FullRewrite final : public ModelReviser {
 public:
  explicit FullRewrite(core::Model& model, core::Sampling sampling = {})
      : ModelReviser(model, {.strategy = Strategy::FullRewrite}, sampling) {}
};

}  // namespace hone::reflect
