// Makes the first output by asking a model.
#pragma once

#include <optional>

#include "hone/core/effects.h"
#include "hone/core/roles.h"

namespace hone::reflect {

// Asks once for each run. Threads: as Generator. Lifetime: the model outlives it.
class ModelGenerator final : public core::Generator {
 public:
  // Temperature 0.7 unless `sampling` says otherwise. A seed in it is the base for the seeds of all
  // runs, which depend on it and on the path of the call. `schema` is what the output has to be: it
  // is asked for where the model's provider can hold an answer to a schema.
  explicit ModelGenerator(core::Model& model, core::Sampling sampling = {},
                          std::optional<JsonText> schema = {});

  async<core::Output> generate(core::Context context, const core::Run& run) override;

 private:
  core::Model& model_;
  core::Sampling sampling_;
  std::optional<JsonText> schema_;
};

}  // namespace hone::reflect
