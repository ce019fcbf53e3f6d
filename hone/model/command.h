// A process as a model: the prompt on its stdin, the reply on its stdout.
#pragma once

#include <chrono>
#include <string>

#include "hone/base/error.h"
#include "hone/core/effects.h"

namespace hone::model {

// Runs the command once for each call, with all messages as plain text, a blank line between them.
// Its environment has HONE_ATTEMPT, and from the second attempt on HONE_FEEDBACK_FILE, a file with
// the last message. Usage is estimated.
// Errors: Unavailable when it ends with another code than 0 (with the last line of stderr) or when
// it does not start, DeadlineExceeded when it takes too long. Threads: as core::Model.
class CommandModel final : public core::Model {
 public:
  static constexpr Duration kTimeout = std::chrono::minutes(10);

  // `runner` outlives the model.
  CommandModel(std::string command, core::Runner& runner, Duration timeout = kTimeout);

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return "command:" + command_; }

 private:
  core::ModelReply reply_of(const core::ProcessRequest& request, core::ProcessResult result) const;
  Error failure_of(const core::ProcessResult& result) const;

  std::string command_;
  core::Runner& runner_;
  Duration timeout_;
};

}  // namespace hone::model
