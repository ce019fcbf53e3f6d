// Models and runners whose answers are recorded, or come from the record.
#pragma once

#include <string>
#include <utility>

#include "hone/core/code.h"
#include "hone/core/effects.h"
#include "hone/journal/recording.h"

namespace hone::journal {

// What is answered from the record is settled with the ledger of the context; what the model
// answers is settled by whoever limits it, inside (model::Budgeted).
// The place of an effect in the record is the path of its context. Threads: as core::Model, for one
// run. Errors: those of the model, and those of Recording.
class JournaledModel final : public core::Model {
 public:
  JournaledModel(Recording& recording, core::Model& model) : recording_(recording), model_(model) {}

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return model_.name(); }

 private:
  Recording& recording_;
  core::Model& model_;
};

class JournaledRunner final : public core::Runner {
 public:
  JournaledRunner(Recording& recording, core::Runner& runner)
      : recording_(recording), runner_(runner) {}

  async<core::ProcessResult> run(core::Context context,
                                 const core::ProcessRequest& request) override;

 private:
  Recording& recording_;
  core::Runner& runner_;
};

class JournaledCodeRunner final : public core::CodeRunner {
 public:
  JournaledCodeRunner(Recording& recording, core::CodeRunner& runner)
      : recording_(recording), runner_(runner) {}

  async<core::CodeResult> run(core::Context context, const core::CodeRequest& request) override;

 private:
  Recording& recording_;
  core::CodeRunner& runner_;
};

// Stands for a model in a replay: it has a name, and is never asked.
class AbsentModel final : public core::Model {
 public:
  explicit AbsentModel(std::string name) : name_(std::move(name)) {}
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return name_; }

 private:
  std::string name_;
};

}  // namespace hone::journal
