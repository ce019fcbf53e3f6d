// Revisers that ask a model for the next output.
#pragma once

#include "hone/core/effects.h"
#include "hone/core/roles.h"

namespace hone::reflect {

// Sampling of revisions: temperature 0.8 unless `sampling` says otherwise, and 0.2 more for each
// repeat of an earlier output since the last new one, up to 1.2. A seed is a base as in
// ModelGenerator.
core::Sampling revision_sampling(const core::Run& run, core::Sampling sampling);

// Asks for a new output from the task and the reasons for rejection. No earlier text is shown: a
// model that sees one often copies it. Threads and lifetime: as ModelGenerator.
class Regenerate final : public core::Reviser {
 public:
  explicit Regenerate(core::Model& model, core::Sampling sampling = {});

  async<core::Output> revise(core::Context context, const core::Run& run) override;

 private:
  core::Model& model_;
  core::Sampling sampling_;
};

// Shows the best attempt's text and the reasons and asks for the whole text improved. After a
// repeat it regenerates instead.
class FullRewrite final : public core::Reviser {
 public:
  explicit FullRewrite(core::Model& model, core::Sampling sampling = {});

  async<core::Output> revise(core::Context context, const core::Run& run) override;

 private:
  core::Model& model_;
  core::Sampling sampling_;
  Regenerate regenerate_;
};

}  // namespace hone::reflect
