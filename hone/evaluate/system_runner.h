// Processes of this machine as a core::Runner.
#pragma once

#include "hone/core/effects.h"

namespace hone::evaluate {

// Runs each request as process/process.h describes: own session, scrubbed environment, capped
// output, the whole group killed at its end. Threads: as core::Runner.
class SystemRunner final : public core::Runner {
 public:
  // The request's timeout is shortened to the context's deadline. Throws DeadlineExceeded when that
  // deadline, not the request's own timeout, ended it; else as run_process.
  async<core::ProcessResult> run(core::Context context,
                                 const core::ProcessRequest& request) override;
};

}  // namespace hone::evaluate
