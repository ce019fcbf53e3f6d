#include "hone/async/one_shot.h"

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

namespace hone {

namespace {

// Who waits, and how it goes on: to be called on its executor.
struct Waiting {
  boost::asio::any_io_executor executor;
  std::function<void()> go_on;
};

template <class Handler>
Waiting waiting_of(Handler handler) {
  auto executor = boost::asio::get_associated_executor(handler);
  auto shared = std::make_shared<Handler>(std::move(handler));
  auto work = boost::asio::make_work_guard(executor);
  auto go_on = [shared, work] { std::move(*shared)(); };
  return {std::move(executor), std::move(go_on)};
}

// Those on one executor go on in one step of it: a thousand runs wait for one commit.
void resume(std::vector<Waiting> waiting) {
  for (auto first = waiting.begin(); first != waiting.end();) {
    const boost::asio::any_io_executor executor = first->executor;
    const auto is_elsewhere = [&](const Waiting& one) { return one.executor != executor; };
    const auto last = std::find_if(first, waiting.end(), is_elsewhere);
    std::vector<Waiting> together{std::make_move_iterator(first), std::make_move_iterator(last)};
    first = last;
    boost::asio::post(executor, [together = std::move(together)] {
      for (const Waiting& one : together) one.go_on();
    });
  }
}

}  // namespace

struct OneShot::State {
  std::mutex mutex;
  bool set = false;
  std::vector<Waiting> waiting;
};

OneShot::OneShot() : state_(std::make_shared<State>()) {}

void OneShot::set() const {
  std::vector<Waiting> waiting;
  {
    const std::lock_guard lock(state_->mutex);
    state_->set = true;
    waiting.swap(state_->waiting);
  }
  resume(std::move(waiting));
}

bool OneShot::is_set() const {
  const std::lock_guard lock(state_->mutex);
  return state_->set;
}

async<void> OneShot::wait() const {
  const auto state = state_;
  if (is_set()) co_return;
  const auto initiate = [state](auto handler) {
    std::vector<Waiting> own{waiting_of(std::move(handler))};
    {
      const std::lock_guard lock(state->mutex);
      if (!state->set) {
        state->waiting.push_back(std::move(own.front()));
        return;
      }
    }
    resume(std::move(own));
  };
  auto waiting = boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
      initiate, boost::asio::use_awaitable);
  co_await std::move(waiting);
}

}  // namespace hone
