#include "hone/journal/run_id.h"

#include <cstdint>
#include <string_view>

namespace hone::journal {
namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

std::string digits(std::uint64_t value, std::size_t count) {
  std::string text(count, '0');
  for (std::size_t i = count; i > 0; --i) {
    text[i - 1] = kAlphabet[value & 31];
    value >>= 5;
  }
  return text;
}

}  // namespace

std::string new_run_id(Instant now, core::Random& random) {
  const auto time = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
  return digits(static_cast<std::uint64_t>(time), 10) + digits(random.next() >> 11, 6);
}

}  // namespace hone::journal
