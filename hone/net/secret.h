// A key or password: a value that nothing can print, record or compare by accident.
#pragma once

#include <string>
#include <utility>

namespace hone::net {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}

  bool is_empty() const { return value_.empty(); }
  // The value itself, for the header that carries it. Search for this word to find every use.
  const std::string& reveal() const { return value_; }

 private:
  std::string value_;
};

}  // namespace hone::net
