// One child process: started in a session of its own, and never left behind.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "hone/process/descriptor.h"

namespace hone::process {

struct Start {
  std::string command;                   // For /bin/sh -c.
  std::string directory;                 // Empty for the current one.
  std::vector<std::string> environment;  // All of it, as "NAME=value".
};

// Our ends of its streams are non-blocking. Threads: one at a time.
class Child {
 public:
  // Throws Unavailable when the process cannot be started, InvalidInput for a command with zero
  // bytes.
  explicit Child(const Start& start);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Kills the group and waits for the process, unless reap() has.
  ~Child();

  Descriptor input;
  Descriptor output;
  Descriptor errors;

  // Becomes readable when the process has ended; closed on systems that have no such thing.
  const Descriptor& end() const { return end_; }
  // Whether the process itself has ended; others of its group may live.
  bool has_ended() const;
  // Sends a signal to all processes of the group. Until reap() the group cannot be somebody else's.
  void signal_group(int signal) const;
  // Waits for the process; its wait status. Throws Unavailable when somebody else took it.
  int reap();

 private:
  pid_t id_ = -1;
  Descriptor end_;
};

}  // namespace hone::process
