#include "hone/async/one_shot.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace hone {

struct OneShot::State {
  std::mutex mutex;
  bool set = false;
  std::vector<std::function<void()>> waiting;
};

namespace {

template <class Handler>
std::function<void()> resumption(Handler handler) {
  auto executor = boost::asio::get_associated_executor(handler);
  auto shared = std::make_shared<Handler>(std::move(handler));
  auto work = boost::asio::make_work_guard(executor);
  return [executor, shared, work] { boost::asio::post(executor, std::move(*shared)); };
}

}  // namespace

OneShot::OneShot() : state_(std::make_shared<State>()) {}

void OneShot::set() const {
  std::vector<std::function<void()>> waiting;
  {
    const std::lock_guard lock(state_->mutex);
    state_->set = true;
    waiting.swap(state_->waiting);
  }
  for (const auto& resume : waiting) resume();
}

bool OneShot::is_set() const {
  const std::lock_guard lock(state_->mutex);
  return state_->set;
}

async<void> OneShot::wait() const {
  const auto state = state_;
  if (is_set()) co_return;
  const auto initiate = [state](auto handler) {
    auto resume = resumption(std::move(handler));
    {
      const std::lock_guard lock(state->mutex);
      if (!state->set) {
        state->waiting.push_back(std::move(resume));
        return;
      }
    }
    resume();
  };
  auto waiting = boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
      initiate, boost::asio::use_awaitable);
  co_await std::move(waiting);
}

}  // namespace hone
