#include "apps/hone/exit_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hone::app {
namespace {

// From the best to the worst.
constexpr std::array kOrder{kDone, kNotGoodEnough, kDeadline, kBudget, kInterrupted, kFailure};

}  // namespace

int worse(int left, int right) {
  return std::max(left, right, [](int a, int b) {
    return std::ranges::find(kOrder, a) < std::ranges::find(kOrder, b);
  });
}

int exit_code_of(const core::Run& run) {
  if (!run.stop) return kInterrupted;
  switch (run.stop->reason) {
    case core::StopReason::Passed:
    case core::StopReason::UserAccepted:
      return kDone;
    case core::StopReason::Budget:
      return kBudget;
    case core::StopReason::Deadline:
      return kDeadline;
    case core::StopReason::Cancelled:
      return kInterrupted;
    case core::StopReason::Error:
      return kFailure;
    default:
      return kNotGoodEnough;
  }
}

int exit_code_of(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::InvalidInput:
    case ErrorKind::NotFound:
    case ErrorKind::Unsupported:
      return kUsage;
    case ErrorKind::BudgetExhausted:
      return kBudget;
    case ErrorKind::DeadlineExceeded:
      return kDeadline;
    case ErrorKind::Cancelled:
      return kInterrupted;
    default:
      return kFailure;
  }
}

void tell(const Error& error) {
  fmt::print(stderr, "hone: {}\n", error.message());
  if (!error.hint().empty()) fmt::print(stderr, "      {}\n", error.hint());
}

}  // namespace hone::app
