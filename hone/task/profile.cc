#include "hone/task/profile.h"

namespace hone::task {
namespace {

constexpr int kPaperAttempts = 5;

void apply_paper(TaskFile& file) {
  if (!file.says("stop.attempts")) file.stop.attempts = kPaperAttempts;
  if (!file.says("stop.plateau")) file.stop.when.plateau.reset();
  if (!file.says("stop.duplicate")) file.stop.when.duplicate.reset();
  if (!file.says("select")) file.select = core::Selection::Latest;
  if (!file.says("revise")) {
    file.revise.strategy = reflect::Strategy::FullRewrite;
    file.revise.include_prior_versions = 0;
    file.revise.include_reflection_history = 1;
  }
  for (const core::Role role : {core::Role::Generate, core::Role::Reflect, core::Role::Revise}) {
    core::Sampling& sampling = file.sampling[role];
    if (!sampling.temperature) sampling.temperature = 0;
  }
}

}  // namespace

bool apply_profile(TaskFile& file, std::string_view name) {
  if (name == "paper") apply_paper(file);
  return name == "paper" || name == "default";
}

}  // namespace hone::task
