// Tells whether a row of the store is what was written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hone::journal {

// The sum of the columns of a row, added in their order. A flipped bit on the disk changes it.
class RowSum {
 public:
  RowSum& add(std::string_view column);
  RowSum& add(std::int64_t column);
  std::int64_t value() const;

 private:
  std::string columns_;
};

}  // namespace hone::journal
