// Runs a shell command as a child process with limits, and leaves nothing of it behind.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "hone/async/async.h"
#include "hone/base/units.h"

namespace hone::process {

struct ProcessOptions {
  std::string command;                              // For /bin/sh -c.
  std::string input;                                // On stdin, which then ends.
  std::string directory;                            // Working directory; empty for the current one.
  std::map<std::string, std::string> environment;   // Added to the scrubbed one (environment.h).
  std::map<std::string, std::string> files;         // See private_files.h.
  Duration timeout = std::chrono::seconds(60);      // Then the whole process group is ended.
  Duration grace = std::chrono::milliseconds(500);  // From SIGTERM to SIGKILL.
  std::size_t output_limit = 256 * 1024;  // First bytes kept of stdout and of stderr each; what
                                          // follows is read and dropped.
};

// How a process ended. Text that is not UTF-8 has been repaired.
struct Ended {
  std::optional<int> exit_code;  // Absent when a signal ended it. 127: the shell found no command.
  std::optional<int> signal;
  bool timed_out = false;
  std::string output;
  std::string errors;
  bool truncated = false;  // More came than was kept.
};

// Runs the command in a session of its own and waits for its end. When it has ended, timed out or
// been cancelled, every process left in its group is killed: background processes do not outlive
// it, and one that keeps a pipe open is waited for a fifth of a second only.
//
// Threads: any loop thread; one thread more for each running process. Cancellation (terminal) ends
// the group like a timeout does. Errors: Unavailable when it cannot be started, InvalidInput for
// zero bytes in text that becomes arguments, Cancelled.
async<Ended> run_process(ProcessOptions options);

}  // namespace hone::process
