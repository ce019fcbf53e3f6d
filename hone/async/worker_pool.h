// Threads for blocking work: SQLite, files, local inference. Work goes in and comes back by value.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "hone/async/async.h"

namespace hone {

// Threads: any. The destructor waits for work that has begun.
class WorkerPool {
 public:
  // Threads start with the first work.
  explicit WorkerPool(std::size_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs `work` on a thread of the pool and resumes on the awaiting executor; rethrows what it
  // throws. Work that has begun is not interrupted by cancellation: give it a way to notice.
  async<void> run(std::function<void()> work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hone
