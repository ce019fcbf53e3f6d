#include "hone/async/clock.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace hone {

SystemClock::SystemClock()
    : wall_(std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now())),
      started_(std::chrono::steady_clock::now()) {}

Instant SystemClock::now() {
  return wall_ + std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - started_);
}

async<void> SystemClock::sleep_until(Instant until) {
  const auto executor = co_await boost::asio::this_coro::executor;
  boost::asio::steady_timer timer(executor, until - now());
  co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace hone
