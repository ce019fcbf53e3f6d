// One process that runs code, from our side.
#pragma once

#include <chrono>
#include <optional>

#include "hone/core/code.h"
#include "hone/process/descriptor.h"
#include "hone/sandbox/wire.h"

namespace hone::sandbox {

using Moment = std::chrono::steady_clock::time_point;

// Threads: one at a time, which it may block. Killed when the object dies, whatever it was doing.
class Worker {
 public:
  // `socket` is what Zygote::start_worker returned. Throws Unavailable when no worker comes.
  Worker(process::Descriptor socket, const WorkerLimits& limits);
  Worker(Worker&&) = default;
  Worker& operator=(Worker&&) = delete;
  ~Worker();

  // Sends the call and waits for its answer until `until`, or until `cancelled` closes, then kills
  // the process. Throws Cancelled.
  core::CodeResult answer(const core::CodeRequest& request, Moment until,
                          const process::Descriptor& cancelled);
  // It has answered and waits for another call.
  bool is_usable() const { return usable_; }
  int calls() const { return calls_; }

 private:
  enum class Wait { Ready, TimedOut, Cancelled };

  void greet();
  void kill();
  bool send(const core::CodeRequest& request, const Secret& secret);
  Wait wait(Moment until, const process::Descriptor& cancelled) const;
  core::CodeResult receive(const core::CodeRequest& request, const Secret& secret, Moment until,
                           const process::Descriptor& cancelled);
  bool read_available();
  std::optional<core::CodeResult> read_frame(const core::CodeRequest& request,
                                             const Secret& secret);

  process::Descriptor socket_;
  process::Descriptor process_;
  std::string received_;  // Not yet a whole frame.
  bool usable_ = false;
  int calls_ = 0;
};

}  // namespace hone::sandbox
