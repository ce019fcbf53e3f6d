// What went wrong, named by what the caller can do about it. The one exception type of hone.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace hone {

enum class ErrorKind {
  InvalidInput,      // The input is wrong: change it.
  NotFound,          // The thing named does not exist.
  Unavailable,       // The same call may work later; see retry_after.
  Overloaded,        // Too many calls: back off; see retry_after.
  DeadlineExceeded,  // Time ran out.
  BudgetExhausted,   // Tokens, money or calls ran out: raise the budget.
  Cancelled,         // Somebody asked to stop.
  Refused,           // The provider's policy declines; another request may be accepted.
  Unsupported,       // This build, machine or provider cannot do it.
  Corrupt,           // Stored data is damaged.
  Internal,          // A bug in hone.
};

// The kind in snake case, as JSON shows it: "invalid_input".
std::string_view to_string(ErrorKind kind);

// Thrown for failures; a bad attempt or an exhausted rule is an outcome, never an Error.
// `message` says what was being done, to what, and what was found; `hint` says what to try next.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string hint = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  // How long the other side asked to be left alone, if it did.
  std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }

  Error& wait(std::chrono::milliseconds time);
  // Puts what was being done in front of the message.
  Error& while_doing(std::string_view context);

  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::string hint_;
  std::optional<std::chrono::milliseconds> retry_after_;
};

// Any exception as an Error: library exceptions become Internal, asio's cancellation Cancelled.
Error to_error(std::exception_ptr failure);

// Stops the task with both values in the message; a failed check is a bug of hone.
[[noreturn]] void fail_check(std::string_view condition, std::string_view file, int line);

}  // namespace hone

#define HONE_CHECK(condition)                                             \
  do {                                                                    \
    if (!(condition)) ::hone::fail_check(#condition, __FILE__, __LINE__); \
  } while (false)
