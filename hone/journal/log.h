// Where records go, as an interface: the journal, or a simulated disk.
#pragma once

#include <string>

#include "hone/async/async.h"
#include "hone/journal/record.h"

namespace hone::journal {

// Threads: as its implementation says.
class Log {
 public:
  virtual ~Log() = default;
  // Queues the record and returns at once. Records are written in the order of their queueing.
  virtual void append(Record record) = 0;
  // Returns when everything queued so far is on the disk. Throws what went wrong; Unavailable when
  // another process has gone on with `run`. Does not listen to cancellation.
  virtual async<void> durable(std::string run) = 0;
};

}  // namespace hone::journal
