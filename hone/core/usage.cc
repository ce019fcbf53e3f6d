#include "hone/core/usage.h"

#include <algorithm>

namespace hone::core {
namespace {

constexpr std::array<std::string_view, kRoles> kNames{"generate", "evaluate", "reflect", "revise",
                                                      "embed"};

}  // namespace

std::string_view to_string(Role role) { return kNames[static_cast<std::size_t>(role)]; }

std::optional<Role> role_from(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Role>(found - kNames.begin());
}

Usage& Usage::operator+=(const Usage& other) {
  // A sum is known only if every part is; the empty sum leaves the other side as it is.
  if (other.calls > 0) {
    if (calls == 0) {
      usd = other.usd;
    } else if (usd && other.usd) {
      usd->amount += other.usd->amount;
    } else {
      usd.reset();
    }
  }
  calls += other.calls;
  input += other.input;
  output += other.output;
  cached += other.cached;
  estimated = estimated || other.estimated;
  reasoning += other.reasoning;
  cache_written += other.cache_written;
  return *this;
}

Usage operator+(Usage left, const Usage& right) { return left += right; }

Usage UsageByRole::total() const {
  Usage sum;
  for (const Usage& usage : roles_) sum += usage;
  return sum;
}

UsageByRole& UsageByRole::operator+=(const UsageByRole& other) {
  for (std::size_t i = 0; i < kRoles; ++i) roles_[i] += other.roles_[i];
  return *this;
}

Tokens estimate_tokens(std::string_view text) {
  constexpr std::size_t kBlock = 128;  // Few enough to be counted in a byte: that is fast.
  const auto size = static_cast<std::int64_t>(text.size());
  std::int64_t wide = 0;
  for (; !text.empty(); text.remove_prefix(std::min(kBlock, text.size()))) {
    unsigned char found = 0;  // Lead bytes of three- and four-byte characters.
    for (const char c : text.substr(0, kBlock)) {
      found += static_cast<unsigned char>(c) >= 0xE0 ? 1 : 0;
    }
    wide += found;
  }
  const std::int64_t narrow = size - wide;
  return {(narrow - 2 * wide > 0 ? (narrow - 2 * wide + 3) / 4 : 0) + wide};
}

}  // namespace hone::core
