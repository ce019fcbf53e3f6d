// Cancellation and failures of running work. Only terminal cancellation is used.
#pragma once

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>

#include "hone/async/async.h"

namespace hone {

// `co_await shielded_from_cancellation();`: from here on the task can neither be cancelled nor
// notice that it was. For the work that must follow a cancelled run.
inline auto shielded_from_cancellation() {
  return boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
}

// `co_await pending_cancellation_waits(true);`: a cancellation that has already arrived does not
// make the next await throw; it stays pending until `pending_cancellation_waits(false)`. The work
// in between must not listen to cancellation itself (OneShot does not).
inline auto pending_cancellation_waits(bool waits) {
  return boost::asio::this_coro::throw_if_cancelled(!waits);
}

// `co_await cancellation_interrupts()`: whether a cancellation that has arrived makes the next
// await throw, which is so unless `pending_cancellation_waits(true)`.
inline auto cancellation_interrupts() { return boost::asio::this_coro::throw_if_cancelled(); }

// `throw_if_cancelled(co_await cancellation())`: for work that has to notice what came before it.
inline auto cancellation() { return boost::asio::this_coro::cancellation_state; }
void throw_if_cancelled(const boost::asio::cancellation_state& state);  // Throws Cancelled.

// Runs `work` and returns what it threw, or null.
async<std::exception_ptr> caught(async<void> work);

}  // namespace hone
