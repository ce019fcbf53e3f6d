#include "tests/simulation/virtual_time.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "hone/base/error.h"

namespace hone::simulation {
namespace {

constexpr Instant kBeginning{std::chrono::seconds(1'763'769'600)};

// Never rings by itself: it is cancelled when its time has come.
using Bell = boost::asio::steady_timer;

}  // namespace

struct VirtualTime::Loop {
  boost::asio::io_context context{1};
};

VirtualTime::VirtualTime() : loop_(std::make_unique<Loop>()), now_(kBeginning) {}
VirtualTime::~VirtualTime() = default;

async<void> VirtualTime::sleep_until(Instant until) {
  const auto bell =
      std::make_shared<Bell>(co_await boost::asio::this_coro::executor, Bell::time_point::max());
  const auto woken = std::make_shared<bool>(false);
  after(std::max(until - now(), Duration::zero()), [bell, woken] {
    *woken = true;
    bell->cancel();
  });
  boost::system::error_code code;
  co_await bell->async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, code));
  if (!*woken) throw boost::system::system_error(boost::asio::error::operation_aborted);
}

void VirtualTime::after(Duration delay, std::function<void()> happen) {
  const Instant at = hurries_ ? now_ : now_ + delay;
  due_.emplace(std::pair(at, number_++), std::move(happen));
}

bool VirtualTime::wake_next() {
  if (due_.empty()) return false;
  const auto next = due_.begin();
  const auto happen = std::move(next->second);
  if (!hurries_) now_ = std::max(now_, next->first.first);
  due_.erase(next);
  happen();
  return true;
}

void VirtualTime::run(const std::function<async<void>()>& work) {
  bool ended = false;
  std::exception_ptr failure;
  boost::asio::co_spawn(loop_->context, work(), [&](const std::exception_ptr& thrown) {
    ended = true;
    failure = thrown;
  });
  while (!ended) {
    loop_->context.restart();
    if (loop_->context.poll() > 0 || ended) continue;
    if (!wake_next()) throw Error(ErrorKind::Internal, "the run waits for what never comes");
  }
  due_.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace hone::simulation
