// Reflects on attempts by asking a model.
#pragma once

#include "hone/core/effects.h"
#include "hone/core/roles.h"

namespace hone::reflect {

// Asks once for each attempt and takes the reply in any form. When the model does not answer
// (Unavailable, Overloaded, Refused, or its own time limit), the run goes on with a reflection that
// says so and repeats the issues. Threads: as Reflector. Lifetime: the model outlives it.
class ModelReflector final : public core::Reflector {
 public:
  // Temperature 0.5 and 768 tokens unless `sampling` says otherwise; a seed as in ModelGenerator.
  explicit ModelReflector(core::Model& model, core::Sampling sampling = {});

  async<core::Reflection> reflect(core::Context context, const core::Run& run) override;

 private:
  async<void> ask(core::Context context, const core::Run& run, core::Reflection& reflection);

  core::Model& model_;
  core::Sampling sampling_;
};

}  // namespace hone::reflect
