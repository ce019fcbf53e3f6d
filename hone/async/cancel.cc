#include "hone/async/cancel.h"

#include <utility>

namespace hone {

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
