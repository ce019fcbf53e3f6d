// A failure of a call that the provider may charge all the same.
#pragma once

#include <exception>
#include <utility>

#include "hone/base/error.h"
#include "hone/core/usage.h"

namespace hone::core {

// Thrown in place of the Error it copies, so that what was used up is not lost with it.
class PaidError final : public Error {
 public:
  PaidError(const Error& error, Usage usage) : Error(error), usage_(std::move(usage)) {}
  const Usage& usage() const { return usage_; }

 private:
  Usage usage_;
};

// What the failed call has cost; Usage{} if it does not say.
Usage usage_of(const std::exception_ptr& failure);

}  // namespace hone::core
