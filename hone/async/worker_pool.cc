#include "hone/async/worker_pool.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "hone/async/one_shot.h"

namespace hone {

struct WorkerPool::State {
  explicit State(std::size_t count) : threads(count) {}
  std::size_t threads;
  std::once_flag started;
  std::optional<boost::asio::thread_pool> pool;
};

WorkerPool::WorkerPool(std::size_t threads) : state_(std::make_unique<State>(threads)) {}

WorkerPool::~WorkerPool() {
  if (state_->pool) state_->pool->join();
}

async<void> WorkerPool::run(std::function<void()> work) {
  std::call_once(state_->started, [this] { state_->pool.emplace(state_->threads); });
  const OneShot done;
  const auto failure = std::make_shared<std::exception_ptr>();
  boost::asio::post(*state_->pool, [work = std::move(work), done, failure] {
    try {
      work();
    } catch (...) {
      *failure = std::current_exception();
    }
    done.set();
  });
  co_await done.wait();
  if (*failure) std::rethrow_exception(*failure);
}

}  // namespace hone
