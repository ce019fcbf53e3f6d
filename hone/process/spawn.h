// Starts a program that has nothing of ours but what it is given.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace hone::process {

struct Program {
  std::string file;
  std::vector<std::string> arguments;    // Without its own name.
  std::vector<std::string> environment;  // All of it, as "NAME=value".
  std::string directory;                 // Empty for the current one.
  // Its descriptors and ours that they are; a standard stream that is not named is /dev/null,
  // others are closed. Ours have other numbers than the standard streams (make_pipe).
  std::map<int, int> descriptors;
  std::string shown;  // What messages call it; empty: the file.
};

// In a session of its own, with the system's settings of signals; by posix_spawn, because a process
// with threads cannot be forked. The caller waits for it. Throws Unavailable when it cannot be
// started.
pid_t spawn(const Program& program);

}  // namespace hone::process
