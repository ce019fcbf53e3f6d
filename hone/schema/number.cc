#include "hone/schema/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "hone/base/json.h"
#include "hone/base/text.h"

namespace hone::schema {
namespace {

constexpr int kSafeDigits = 15;  // Of a decimal number that every double keeps.

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool fits_64_bits(std::string_view digits) {
  const auto fits = [digits](auto value) {
    const auto [end, failure] = std::from_chars(digits.begin(), digits.end(), value);
    return failure == std::errc() && end == digits.end();
  };
  return fits(std::int64_t{}) || fits(std::uint64_t{});
}

// Digits without leading zeros, up to the exponent.
int significant_digits(std::string_view number) {
  const std::string_view digits = number.substr(0, number.find_first_of("eE"));
  const auto first = digits.find_first_of("123456789");
  if (first == digits.npos) return 1;
  return static_cast<int>(std::ranges::count_if(digits.substr(first), is_digit));
}

}  // namespace

bool is_whole(std::string_view number) {
  if (number.find_first_of(".eE") == number.npos) return true;
  const std::optional<double> value = to_number(number);
  return value && std::isfinite(*value) && std::trunc(*value) == *value;
}

std::optional<std::string> as_integer(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find('.'));
  const std::string_view zeros = text.substr(digits.size());
  if (!zeros.empty() && (zeros.size() == 1 || zeros.find_first_not_of('0', 1) != zeros.npos)) {
    return std::nullopt;
  }
  const std::string_view natural = digits.starts_with('-') ? digits.substr(1) : digits;
  const bool padded = natural.size() > 1 && natural.starts_with('0');
  if (natural.empty() || padded || digits == "-0" || !std::ranges::all_of(natural, is_digit)) {
    return std::nullopt;
  }
  return fits_64_bits(digits) ? std::optional(std::string(digits)) : std::nullopt;
}

std::optional<std::string> as_number(std::string_view text) {
  // JSON would allow blanks round it.
  if (text.empty() || !is_digit(text.back()) || (text[0] != '-' && !is_digit(text[0]))) {
    return std::nullopt;
  }
  const std::optional<Json> value = try_parse_json(text);
  if (!value || !value->is_number()) return std::nullopt;
  const bool kept = significant_digits(text) <= kSafeDigits || dump(*value) == text;
  return kept ? std::optional(std::string(text)) : std::nullopt;
}

}  // namespace hone::schema
