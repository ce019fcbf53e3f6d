#include "hone/model/paid_error.h"

namespace hone::model {

core::Usage usage_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const PaidError& error) {
    return error.usage();
  } catch (...) {
    return {};
  }
}

}  // namespace hone::model
