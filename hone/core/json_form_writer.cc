#include "hone/core/json_form_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hone/base/text.h"

namespace hone::core {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

bool must_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Both look at every byte instead of stopping early: so the compiler makes them wide.
bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}
bool is_plain(std::string_view text) {
  bool escapes = false;
  for (const char c : text) escapes |= must_escape(static_cast<unsigned char>(c));
  return !escapes;
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

void append_escape(std::string& out, char c) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out += '\\';
  if (const auto at = kNamed.find(c); at != std::string_view::npos) {
    out += kLetters[at];
    return;
  }
  out += "u00";
  out += kDigits[static_cast<unsigned char>(c) >> 4];
  out += kDigits[static_cast<unsigned char>(c) & 15];
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
  std::optional<std::string> redacted;
  if (redactor_ != nullptr && !is_ours(name)) redacted = redactor_->replaced(name);
  if (redacted) name = *redacted;
  if (is_ascii(name) || is_utf8(name)) {
    escaped(name);
  } else {
    escaped(to_utf8(name));
  }
  out_ += ':';
  first_ = true;
  return *this;
}

void JsonWriter::escaped(std::string_view value) {
  constexpr std::size_t kBlock = 64;
  out_ += '"';
  for (; !value.empty(); value.remove_prefix(std::min(kBlock, value.size()))) {
    const std::string_view block = value.substr(0, kBlock);
    if (is_plain(block)) {
      out_ += block;
      continue;
    }
    for (const char c : block) {
      if (must_escape(static_cast<unsigned char>(c))) {
        append_escape(out_, c);
      } else {
        out_ += c;
      }
    }
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
