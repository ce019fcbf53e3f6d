// Makes models from their names.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "apps/hone/flags.h"
#include "hone/core/effects.h"
#include "hone/evaluate/system_runner.h"
#include "hone/journal/record.h"
#include "hone/model/http_provider.h"
#include "hone/model/local.h"
#include "hone/model/scripted.h"
#include "hone/model/spec.h"
#include "hone/sandbox/sandbox.h"

namespace hone::app {

// Threads: one at a time. What it makes may be used on any loop; it outlives what it makes.
class Models {
 public:
  // Files that are not in the current folder are looked for in `folder`, that of the task file.
  explicit Models(const Flags& flags, std::filesystem::path folder = {});

  // The provider itself, without wrappers; one for all who name it. Throws InvalidInput for an
  // unknown name or a missing key, NotFound when the weights of a local model are not here and the
  // user, asked on a terminal, does not want them fetched.
  std::unique_ptr<core::Model> make(const std::string& spec);
  // Runs the code of checks, for all runs.
  core::CodeRunner& code() { return code_; }

  // The most that a call of this model costs; empty where no price is known.
  core::Ledger::CostAtMost cost_at_most(const std::string& spec) const;

  // Tells the scripts among the models made so far what the run has used of them. To be told in the
  // order of the record.
  void mark_used(const std::string& run, const journal::Record& effect);

 private:
  std::shared_ptr<core::Model> make_provider(const std::string& name);
  std::shared_ptr<core::Model> make_script(const std::string& file);
  std::shared_ptr<core::Model> make_local(const model::ModelSpec& spec);
  std::string script_file(const std::string& name) const;

  model::AccessOptions access_for(const model::ModelSpec& spec) const;

  model::AccessOptions flags_;       // From flags: for every server.
  model::AccessOptions configured_;  // From a file: for openai: alone, whatever a task file names.
  std::filesystem::path folder_;
  evaluate::SystemRunner runner_;
  sandbox::Sandbox code_;
  std::unique_ptr<model::LocalModels> local_;
  std::map<std::string, std::shared_ptr<core::Model>> made_;
  std::map<std::string, std::shared_ptr<model::ScriptedModel>> scripts_;  // By their names.
};

}  // namespace hone::app
