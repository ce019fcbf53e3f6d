// Time that passes only when nothing else can happen: the same seed takes the same course.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "hone/async/async.h"
#include "hone/async/clock.h"

namespace hone::simulation {

// A loop and its clock in one. Threads: the one that calls run().
class VirtualTime final : public Clock {
 public:
  VirtualTime();
  ~VirtualTime() override;

  Instant now() override { return now_ + skew_; }
  async<void> sleep_until(Instant until) override;
  // Calls `happen` when so much time has passed.
  void after(Duration delay, std::function<void()> happen);
  // The clock of the machine is set: later, or back. Sleeps take as long as they would have.
  void jump(Duration by) { skew_ += by; }
  // From now on nothing takes time: whoever sleeps wakes up.
  void hurry() { hurries_ = true; }

  // Runs `work` to its end; rethrows what it throws. Throws Internal when it waits for something
  // that never comes.
  void run(const std::function<async<void>()>& work);

 private:
  struct Loop;
  bool wake_next();

  std::unique_ptr<Loop> loop_;
  Instant now_;
  Duration skew_{};
  bool hurries_ = false;
  std::uint64_t number_ = 0;  // Of what was scheduled: what is due at once happens in this order.
  std::map<std::pair<Instant, std::uint64_t>, std::function<void()>> due_;
};

}  // namespace hone::simulation
