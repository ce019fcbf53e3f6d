// Requests of a run resemble the one before: what they have in common is stored once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hone::journal {

// Writes or reads the requests of one run in their order, as Texts::fold gives them. A request that
// begins like the one before is stored as "~SEQUENCE:A:NUMBER:B:REST": the first A bytes of the
// request with that sequence number, another number (that of the attempt), the next B bytes, and
// what is new.
class Likeness {
 public:
  std::string shorten(std::int64_t sequence, std::string folded);
  // Absent when the request before is not the one it was.
  std::optional<std::string> lengthen(std::int64_t sequence, std::string_view stored);

 private:
  std::int64_t last_sequence_ = -1;
  std::string last_;
};

}  // namespace hone::journal
