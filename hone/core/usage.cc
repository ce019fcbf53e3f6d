#include "hone/core/usage.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hone::core {
namespace {

// In whole millionths of a millionth of a dollar, so that the order of adding makes no difference:
// a replay adds up what a live run had added try by try.
Usd sum(Usd left, Usd right) {
  constexpr double kUnits = 1e12;
  const auto whole = [](Usd usd) { return std::llround(usd.amount * kUnits); };
  return {static_cast<double>(whole(left) + whole(right)) / kUnits};
}

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
      usd = sum(*usd, *other.usd);
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

Usage& UsageByRole::operator[](Role role) {
  const auto known = std::ranges::find(entries_, role, &Entry::role);
  if (known != entries_.end()) return known->usage;
  return entries_.emplace_back(Entry{role, {}}).usage;
}

const Usage& UsageByRole::operator[](Role role) const {
  static const Usage none;
  const auto known = std::ranges::find(entries_, role, &Entry::role);
  return known == entries_.end() ? none : known->usage;
}

Usage UsageByRole::total() const {
  Usage sum;
  for (std::size_t i = 0; i < kRoles; ++i) sum += (*this)[static_cast<Role>(i)];
  return sum;
}

UsageByRole& UsageByRole::operator+=(const UsageByRole& other) {
  for (const Entry& entry : other.entries_) (*this)[entry.role] += entry.usage;
  return *this;
}

bool operator==(const UsageByRole& left, const UsageByRole& right) {
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    if (left[role] != right[role]) return false;
  }
  return true;
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
