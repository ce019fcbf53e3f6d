// An event that happens once: whoever waits for it goes on when it does.
#pragma once

#include <memory>

#include "hone/async/async.h"

namespace hone {

// Threads: set() may be called from any thread, once; wait() resumes on the executor it was awaited
// on. Waiting does not listen to cancellation: a OneShot is for work that ends by itself soon.
class OneShot {
 public:
  OneShot();
  // Copies share the event.
  void set() const;
  bool is_set() const;
  async<void> wait() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hone
