#include "hone/core/json_form_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hone/base/text.h"

namespace hone::core {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

constexpr std::array<bool, 256> must_escape() {
  std::array<bool, 256> table{};
  for (std::size_t i = 0; i < 0x20; ++i) table[i] = true;
  table['"'] = table['\\'] = true;
  return table;
}
constexpr std::array<bool, 256> kMustEscape = must_escape();

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c >= 0x80; });
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
  out_ += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!kMustEscape[static_cast<unsigned char>(value[i])]) continue;
    out_ += value.substr(copied, i - copied);
    append_escape(out_, value[i]);
    copied = i + 1;
  }
  out_ += value.substr(copied);
  out_ += '"';
}

void JsonWriter::text(std::string_view value) {
  std::string redacted;
  if (redactor_ != nullptr) value = redacted = redactor_->redact(value);
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
