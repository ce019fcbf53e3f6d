#include "hone/process/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "hone/base/error.h"

namespace hone::process {
namespace {

constexpr int kFirstFree = 3;  // After stdin, stdout and stderr.

Descriptor above_standard_streams(int number) {
  Descriptor descriptor(number);
  if (number >= kFirstFree) return descriptor;
  const int moved = ::fcntl(number, F_DUPFD_CLOEXEC, kFirstFree);
  if (moved < 0) fail_with("a pipe cannot be opened", errno);
  return Descriptor(moved);
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this == &other) return *this;
  close();
  number_ = std::exchange(other.number_, -1);
  return *this;
}

void Descriptor::close() {
  if (is_open()) ::close(std::exchange(number_, -1));
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_with("a pipe cannot be opened", errno);
  Pipe pipe;
  pipe.read = above_standard_streams(ends[0]);
  pipe.write = above_standard_streams(ends[1]);
  return pipe;
}

void set_nonblocking(const Descriptor& descriptor) {
  const int flags = ::fcntl(descriptor.number(), F_GETFL);
  if (flags < 0 || ::fcntl(descriptor.number(), F_SETFL, flags | O_NONBLOCK) < 0) {
    fail_with("a pipe cannot be made non-blocking", errno);
  }
}

void fail_with(std::string_view doing, int system_error) {
  const std::string reason = std::generic_category().message(system_error);
  throw Error(ErrorKind::Unavailable, fmt::format("{}: {}", doing, reason));
}

}  // namespace hone::process
