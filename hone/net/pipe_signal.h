// Keeps SIGPIPE from ending the process while a library writes to connections.
#pragma once

#include <csignal>

namespace hone::net {

// While it lives, a write of this thread to a closed connection is an error, not a signal. libcurl
// leaves this to its callers (CURLOPT_NOSIGNAL), and OpenSSL writes without MSG_NOSIGNAL. The
// process's own handling of SIGPIPE stays as it is. Threads: lives on the stack of one.
class PipeSignalBlocked {
 public:
  PipeSignalBlocked();
  ~PipeSignalBlocked();
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

 private:
  sigset_t before_;
  bool was_pending_;
};

}  // namespace hone::net
