// The edge between ordinary code and coroutines.
#pragma once

#include <functional>
#include <memory>

#include "hone/async/async.h"

namespace hone {

// One event loop on the calling thread. Threads: run() once at a time; cancel() from any thread.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Runs `work` to its end on this thread; rethrows what it throws.
  void run(const std::function<async<void>()>& work);
  // Cancels the work that runs; harmless when none does.
  void cancel();
  // From now on the first SIGINT, SIGTERM or SIGHUP cancels the work; the second one ends the
  // process as if nobody listened.
  void cancel_on_signals();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Runs `work` to its end on a loop of its own. For tests, examples and bindings.
void run_sync(const std::function<async<void>()>& work);

}  // namespace hone
