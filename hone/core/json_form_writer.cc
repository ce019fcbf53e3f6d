#include "hone/core/json_form_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "hone/base/text.h"

namespace hone::core {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

bool must_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Looks at every byte instead of stopping early: so the compiler makes it wide.
bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = 0x8080808080808080;

// In bytes that must be escaped, the high bit; above the first of them other bits may be set too.
std::uint64_t escapes_in(std::uint64_t word) {
  const auto below = [](std::uint64_t text, std::uint64_t n) {
    return (text - kOnes * n) & ~text & kHighs;
  };
  const std::uint64_t quotes = below(word ^ (kOnes * '"'), 1);
  const std::uint64_t slashes = below(word ^ (kOnes * '\\'), 1);
  return below(word, 0x20) | quotes | slashes;
}

// Whether one of the bytes must be escaped. Looks at all of them: so the compiler makes it wide.
bool any_must_escape(const char* bytes, std::size_t count) {
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    any |= must_escape(static_cast<unsigned char>(bytes[i]));
  }
  return any;
}

// The first byte from `at` on that must be escaped, or the end.
std::size_t next_escape(std::string_view text, std::size_t at) {
  constexpr std::size_t kWide = 64;
  static_assert(std::endian::native == std::endian::little);
  for (std::uint64_t word = 0; at + sizeof word <= text.size();) {
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t escapes = escapes_in(word);
    if (escapes != 0) return at + static_cast<std::size_t>(std::countr_zero(escapes)) / 8;
    at += sizeof word;
    while (at + kWide <= text.size() && !any_must_escape(text.data() + at, kWide)) at += kWide;
  }
  while (at < text.size() && !must_escape(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// Names of users may hold anything; ours are made of small letters.
bool is_ours(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

std::string to_hex(std::string_view bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

// The letter that stands for it after a backslash; 0 if there is none.
char letter_of(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

void append_escape(std::string& out, char c) {
  if (const char letter = letter_of(c); letter != 0) {
    const char escape[]{'\\', letter};
    out.append(escape, sizeof escape);
    return;
  }
  const auto byte = static_cast<unsigned char>(c);
  const char escape[]{'\\', 'u', '0', '0', kDigits[byte >> 4], kDigits[byte & 15]};
  out.append(escape, sizeof escape);
}

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  out_ += '{';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  out_ += '}';
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  out_ += '[';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  out_ += ']';
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  first_ = true;
  if (is_ours(name)) {
    out_.append(1, '"').append(name).append("\":");
    return *this;
  }
  std::optional<std::string> redacted;
  if (redactor_ != nullptr) redacted = redactor_->replaced(name);
  if (redacted) name = *redacted;
  if (is_ascii(name) || is_utf8(name)) {
    escaped(name);
  } else {
    escaped(to_utf8(name));
  }
  out_ += ':';
  return *this;
}

void JsonWriter::escaped(std::string_view value) {
  out_ += '"';
  for (std::size_t at = 0; at < value.size(); ++at) {
    const std::size_t escape = next_escape(value, at);
    out_ += value.substr(at, escape - at);
    at = escape;
    if (at < value.size()) append_escape(out_, value[at]);
  }
  out_ += '"';
}

void JsonWriter::text(std::string_view value) {
  std::optional<std::string> redacted;
  if (redactor_ != nullptr) redacted = redactor_->replaced(value);
  if (redacted) value = *redacted;
  if (is_ascii(value) || is_utf8(value)) {
    word(value);
  } else {
    begin_object().key("bytes").word(to_hex(value));
    end_object();
  }
}

void JsonWriter::word(std::string_view value) {
  separate();
  escaped(value);
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  append_number(out_, value);
}

void JsonWriter::integer(std::uint64_t value) {
  separate();
  append_number(out_, value);
}

void JsonWriter::number(double value) {
  separate();
  if (!std::isfinite(value)) {
    out_ += "null";
    return;
  }
  const std::size_t start = out_.size();
  append_number(out_, value);
  // A whole number stays a floating-point number when it is read back.
  if (out_.find_first_of(".e", start) == std::string::npos) out_ += ".0";
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::text_member(std::string_view name, std::string_view value) {
  if (!value.empty()) key(name).text(value);
}

void JsonWriter::integer_member(std::string_view name, std::int64_t value) {
  if (value != 0) key(name).integer(value);
}

void JsonWriter::number_member(std::string_view name, std::optional<double> value) {
  if (value) key(name).number(*value);
}

}  // namespace hone::core
