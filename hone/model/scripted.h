// A model that answers from a script: for tests, examples and trying a task out without cost.
#pragma once

#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/base/error.h"
#include "hone/core/effects.h"
#include "hone/model/script.h"

namespace hone::model {

// The first unused rule that fits a request answers it. Each run (by its id) starts with the whole
// script; what a run has used is forgotten when 65,536 other runs have come since.
// Errors: those the script asks for, and InvalidInput, showing the request, when no rule fits.
class ScriptedModel final : public core::Model {
 public:
  // `file` is for messages.
  ScriptedModel(std::vector<ScriptRule> rules, std::string file);

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return "scripted:" + file_; }

  // The rules that `request` of that run used up before: for a run that goes on in another process.
  // `reply` is what it was answered; null when it failed. To be told in the order of the answers.
  void mark_used(const std::string& run, const core::ModelRequest& request,
                 const core::ModelReply* reply);

 private:
  struct RunState {
    std::string run;
    std::vector<bool> used;
  };

  // Number of the first unused rule that fits, and that answers so; absent when there is none.
  std::optional<std::size_t> find_rule(const std::vector<bool>& used,
                                       const core::ModelRequest& request,
                                       std::optional<std::string_view> reply = {}) const;
  const ScriptRule& take(const std::string& run, const core::ModelRequest& request);
  std::vector<bool>& used_by(const std::string& run);
  Error no_rule(const core::ModelRequest& request, std::size_t used_up) const;

  std::vector<ScriptRule> rules_;
  std::string file_;
  std::mutex mutex_;          // Of what follows: runs on several loops share a model.
  std::list<RunState> runs_;  // The latest first.
  std::unordered_map<std::string, std::list<RunState>::iterator> by_run_;
};

}  // namespace hone::model
