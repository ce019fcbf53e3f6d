// The life of one child process, from its start to its end, on a thread that may block.
#pragma once

#include "hone/process/descriptor.h"
#include "hone/process/process.h"

namespace hone::process {

// Blocks until the command has ended. The command is stopped early when the other end of
// `cancelled` closes. Throws as run_process does.
Ended supervise(const ProcessOptions& options, const Descriptor& cancelled);

}  // namespace hone::process
