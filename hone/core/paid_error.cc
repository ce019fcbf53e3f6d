#include "hone/core/paid_error.h"

namespace hone::core {

Usage usage_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const PaidError& error) {
    return error.usage();
  } catch (...) {
    return {};
  }
}

}  // namespace hone::core
