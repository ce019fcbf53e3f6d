#include "hone/journal/likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace hone::journal {
namespace {

constexpr char kMark = '~';
constexpr std::size_t kWorthIt = 24;  // Bytes in common.

std::size_t common(std::string_view left, std::string_view right) {
  return static_cast<std::size_t>(std::ranges::mismatch(left, right).in1 - left.begin());
}

std::size_t digits(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  return end == std::string_view::npos ? text.size() : end;
}

// Reads "123:" from the front.
template <class Number>
bool read(std::string_view& text, Number& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(result.ptr - text.data());
  if (result.ec != std::errc() || length == text.size() || text[length] != ':') return false;
  text.remove_prefix(length + 1);
  return true;
}

}  // namespace

std::string Likeness::shorten(std::int64_t sequence, std::string folded) {
  const std::string before = std::exchange(last_, folded);
  const std::int64_t base = std::exchange(last_sequence_, sequence);
  if (base < 0) return folded;
  const std::string_view now = folded;
  std::size_t first = common(before, now);
  // A number is taken whole.
  while (first > 0 && digits(now.substr(first - 1, 1)) == 1) --first;
  const std::string_view rest = std::string_view(before).substr(first);
  const std::size_t number = digits(now.substr(first));
  const std::size_t second = common(rest.substr(digits(rest)), now.substr(first + number));
  if (first + second < kWorthIt) return folded;
  return fmt::format("{}{}:{}:{}:{}:{}", kMark, base, first, now.substr(first, number), second,
                     now.substr(first + number + second));
}

std::optional<std::string> Likeness::lengthen(std::int64_t sequence, std::string_view stored) {
  const std::string before = std::exchange(last_, std::string(stored));
  const std::int64_t base = std::exchange(last_sequence_, sequence);
  if (!stored.starts_with(kMark)) return last_;
  stored.remove_prefix(1);
  std::int64_t named = 0;
  std::size_t first = 0;
  std::size_t second = 0;
  if (!read(stored, named) || named != base || !read(stored, first) || first > before.size())
    return std::nullopt;
  const std::size_t number = digits(stored);
  std::string whole = before.substr(0, first) + std::string(stored.substr(0, number));
  stored.remove_prefix(std::min(number + 1, stored.size()));
  const std::string_view rest = std::string_view(before).substr(first);
  const std::size_t skipped = digits(rest);
  if (!read(stored, second) || second > rest.size() - skipped) return std::nullopt;
  whole += rest.substr(skipped, second);
  last_ = whole += stored;
  return whole;
}

}  // namespace hone::journal
