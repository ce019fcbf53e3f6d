#include "hone/async/within.h"

#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace hone {

bool ended_within(std::chrono::nanoseconds limit, std::function<void()> work) {
  const auto task = std::make_shared<std::packaged_task<void()>>(std::move(work));
  std::future<void> ended = task->get_future();
  // What a disk or a lock holds cannot be called back; joining it would wait for it after all.
  std::thread([task] {
    (*task)();
    task->reset();
  }).detach();
  if (ended.wait_for(limit) != std::future_status::ready) return false;
  ended.get();
  return true;
}

}  // namespace hone
