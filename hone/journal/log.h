// Where records go, as an interface: the journal, or a simulated disk.
#pragma once

#include <cstdint>
#include <string>

#include "hone/async/async.h"
#include "hone/journal/record.h"

namespace hone::journal {

// Threads: as its implementation says.
class Log {
 public:
  virtual ~Log() = default;
  // To be called before a run is gone on with: makes it ours alone. `next` is the number of its
  // next record. Throws Unavailable when another process runs it, or has gone on with it since it
  // was read.
  virtual void claim(const std::string& run, std::int64_t next) {
    (void)run;
    (void)next;
  }
  // Queues the record and returns at once. Records are written in the order of their queueing.
  virtual void append(Record record) = 0;
  // Returns when everything queued so far is on the disk. Throws what went wrong; Unavailable when
  // another process has gone on with `run`. Does not listen to cancellation.
  virtual async<void> durable(std::string run) = 0;
};

}  // namespace hone::journal
