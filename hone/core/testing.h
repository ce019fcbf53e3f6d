// What the tests of the loop share: a clock that only moves when told, and a place to run in.
#pragma once

#include <string>

#include "hone/async/run_sync.h"
#include "hone/core/loop.h"

namespace hone::core {

// Moves on by `step` with each look at it; sleeping jumps to the end of the sleep.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(Duration step = std::chrono::milliseconds(1)) : step_(step) {}
  Instant now() override { return now_ += step_; }
  async<void> sleep_until(Instant until) override {
    now_ = std::max(now_, until);
    co_return;
  }

 private:
  Instant now_{std::chrono::seconds(1'763'769'600)};
  Duration step_;
};

// Owns what a Context points to.
class TestScene {
 public:
  explicit TestScene(Budget budget = {}, EventSink* events = nullptr)
      : ledger_(budget), events_(events == nullptr ? &no_events_ : events) {}

  Context context() {
    Context context;
    context.run = "testrun";
    context.ledger = &ledger_;
    context.events = events_;
    context.clock = &clock_;
    context.random = &random_;
    if (ledger_.budget().time) context.deadline = clock_.now() + *ledger_.budget().time;
    return context;
  }
  Ledger& ledger() { return ledger_; }
  FakeClock& clock() { return clock_; }

  Run run(Task task, Roles roles, LoopOptions options) {
    Run result;
    run_sync([&] { return run_into(result, std::move(task), roles, options); });
    return result;
  }

 private:
  async<void> run_into(Run& result, Task task, Roles roles, LoopOptions options) {
    result = co_await reflect(context(), std::move(task), roles, std::move(options));
  }

  Ledger ledger_;
  FakeClock clock_;
  SeededRandom random_{1};
  NoEvents no_events_;
  EventSink* events_;
};

}  // namespace hone::core
