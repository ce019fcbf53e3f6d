#include "hone/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace hone::yaml {
namespace {

using Value = decltype(Node::value);

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

std::string_view skip_digits(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of("0123456789")));
  return text;
}

std::string_view skip_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

bool is_integer(std::string_view text) {
  text = skip_sign(text);
  return !text.empty() && skip_digits(text).empty();
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool is_number(std::string_view text) {
  text = skip_sign(text);
  const bool starts_with_digit = !text.empty() && is_digit(text.front());
  text = skip_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!starts_with_digit && (text.empty() || !is_digit(text.front()))) return false;
    text = skip_digits(text);
  } else if (!starts_with_digit) {
    return false;
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  return is_integer(text.substr(1));
}

std::optional<Value> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto failure = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (failure != std::errc::result_out_of_range) return value;
  // Too small is zero for all purposes, too large is nothing at all.
  const auto exponent = text.find_first_of("eE");
  const bool is_tiny = exponent != std::string_view::npos && text.substr(exponent + 1)[0] == '-';
  if (!is_tiny) return std::nullopt;
  return 0.0;
}

std::optional<Value> integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto failure = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  if (failure == std::errc::result_out_of_range) return number(text);
  return value;
}

std::optional<Value> with_base(std::string_view text, std::string_view prefix, int base) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const char* const start = text.data() + prefix.size();
  const char* const end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [rest, failure] = std::from_chars(start, end, value, base);
  if (start == end || rest != end || failure == std::errc::invalid_argument) return std::nullopt;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (failure != std::errc() || value > kMost) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::optional<Value> plain_scalar(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE"})) return false;
  if (is_integer(text)) return integer(text);
  if (is_number(text)) return number(text);
  if (auto octal = with_base(text, "0o", 8)) return octal;
  if (auto hexadecimal = with_base(text, "0x", 16)) return hexadecimal;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return kInfinity;
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return -kInfinity;
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  return std::string(text);
}

}  // namespace hone::yaml
