#include "hone/base/error.h"

#include <fmt/format.h>

#include <boost/system/system_error.hpp>
#include <utility>

namespace hone {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::InvalidInput:
      return "invalid_input";
    case ErrorKind::NotFound:
      return "not_found";
    case ErrorKind::Unavailable:
      return "unavailable";
    case ErrorKind::Overloaded:
      return "overloaded";
    case ErrorKind::DeadlineExceeded:
      return "deadline_exceeded";
    case ErrorKind::BudgetExhausted:
      return "budget_exhausted";
    case ErrorKind::Cancelled:
      return "cancelled";
    case ErrorKind::Refused:
      return "refused";
    case ErrorKind::Unsupported:
      return "unsupported";
    case ErrorKind::Corrupt:
      return "corrupt";
    case ErrorKind::Internal:
      return "internal";
  }
  return "internal";
}

Error::Error(ErrorKind kind, std::string message, std::string hint)
    : kind_(kind), message_(std::move(message)), hint_(std::move(hint)) {}

Error& Error::wait(std::chrono::milliseconds time) {
  retry_after_ = time;
  return *this;
}

Error& Error::while_doing(std::string_view context) {
  message_ = fmt::format("{}: {}", context, message_);
  return *this;
}

Error to_error(std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const Error& error) {
    return error;
  } catch (const boost::system::system_error& error) {
    // Asio signals a cancelled wait so.
    if (error.code() == boost::system::errc::operation_canceled)
      return {ErrorKind::Cancelled, "the work was cancelled"};
    return {ErrorKind::Internal, error.what()};
  } catch (const std::exception& error) {
    return {ErrorKind::Internal, error.what()};
  } catch (...) {
    return {ErrorKind::Internal, "an unknown exception was thrown"};
  }
}

void fail_check(std::string_view condition, std::string_view file, int line) {
  throw Error(ErrorKind::Internal, fmt::format("{}:{}: `{}` does not hold", file, line, condition),
              "this is a bug in hone; please report it with the command that led here");
}

}  // namespace hone
