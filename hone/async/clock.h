// Time, as an interface, so that a whole engine can run under a simulated clock.
#pragma once

#include "hone/async/async.h"
#include "hone/base/units.h"

namespace hone {

// Threads: any.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() = 0;
  // Returns at `until`, or throws Cancelled's system_error when the task is cancelled.
  virtual async<void> sleep_until(Instant until) = 0;
};

// The machine's clock: wall time when the process started, monotonic from then on.
class SystemClock final : public Clock {
 public:
  SystemClock();
  Instant now() override;
  async<void> sleep_until(Instant until) override;

 private:
  Instant wall_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace hone
