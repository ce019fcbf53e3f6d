#include "hone/async/cancel.h"

#include <utility>

#include "hone/base/error.h"

namespace hone {

void throw_if_cancelled(const boost::asio::cancellation_state& state) {
  if (state.cancelled() == boost::asio::cancellation_type::none) return;
  throw Error(ErrorKind::Cancelled, "the work was cancelled");
}

async<std::exception_ptr> caught(async<void> work) {
  std::exception_ptr failure;
  try {
    co_await std::move(work);
  } catch (...) {
    failure = std::current_exception();
  }
  co_return failure;
}

}  // namespace hone
