// The check `command`: a program of the user's judges the output.
#pragma once

#include <string>

#include "hone/core/effects.h"
#include "hone/core/roles.h"

namespace hone::evaluate {

struct CommandOptions {
  std::string run;                              // For /bin/sh -c.
  std::string directory;                        // Where it runs; empty for the current one.
  Duration timeout = std::chrono::seconds(10);  // Then it is killed with all it started.
};

// The output is on the program's stdin and in the file that $HONE_OUTPUT_FILE names. Exit code 0
// passes; any other fails with what the program says (see command_report.h). Unknown: it does not
// end in time, a signal ends it, or the shell cannot start it (126, 127).
class CommandCheck final : public core::Evaluator {
 public:
  // `runner` outlives the check. Throws InvalidInput for an empty command.
  CommandCheck(CommandOptions options, core::Runner& runner);

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;

 private:
  core::ProcessRequest request_for(const core::Output& output) const;

  CommandOptions options_;
  core::Runner& runner_;
};

}  // namespace hone::evaluate
