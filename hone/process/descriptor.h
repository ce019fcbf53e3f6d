// File descriptors that close themselves, for this folder's sources.
#pragma once

#include <string_view>
#include <utility>

namespace hone::process {

// Owns one descriptor, or none (-1). Threads: one at a time.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  void close();
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// What is written to `write` can be read from `read`. Neither survives an exec and neither has a
// number that a child uses for its standard streams.
struct Pipe {
  Descriptor read;
  Descriptor write;
};
Pipe make_pipe();  // Throws Unavailable.

void set_nonblocking(const Descriptor& descriptor);

// Throws Unavailable: "<doing>: <reason of the system>".
[[noreturn]] void fail_with(std::string_view doing, int system_error);

}  // namespace hone::process
