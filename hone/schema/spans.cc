#include "hone/schema/spans.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/json.h"

namespace hone::schema {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Span value() {
    skip_blanks();
    Span span;
    span.begin = position_;
    switch (text_[position_]) {
      case '{':
        span.kind = Kind::Object;
        read_object(span);
        break;
      case '[':
        span.kind = Kind::Array;
        read_array(span);
        break;
      case '"':
        span.kind = Kind::String;
        skip_string();
        break;
      default:
        span.kind = read_word();
    }
    span.end = position_;
    return span;
  }

 private:
  void skip_blanks() { position_ = text_.find_first_not_of(" \t\r\n", position_); }

  // Whether a closing bracket follows; skips it, or the comma in front of the next member.
  bool closes(char bracket) {
    skip_blanks();
    if (text_[position_] != bracket && text_[position_] != ',') return false;
    return text_[position_++] == bracket;
  }

  void read_object(Span& span) {
    ++position_;
    while (!closes('}')) {
      skip_blanks();
      const std::size_t begin = position_;
      skip_string();
      span.names.push_back(unquoted(text_.substr(begin, position_ - begin)));
      skip_blanks();
      ++position_;  // The colon.
      span.values.push_back(value());
    }
  }

  void read_array(Span& span) {
    ++position_;
    while (!closes(']')) span.values.push_back(value());
  }

  void skip_string() {
    do {
      position_ += text_[position_] == '\\' ? 2 : 1;
    } while (text_[position_] != '"');
    ++position_;
  }

  Kind read_word() {
    const char first = text_[position_];
    const std::size_t end = text_.find_first_of(" \t\r\n,]}", position_);
    position_ = end == std::string_view::npos ? text_.size() : end;
    if (first == 'n') return Kind::Null;
    return first == 't' || first == 'f' ? Kind::Boolean : Kind::Number;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

Span locate(std::string_view text) { return Reader(text).value(); }

std::string unquoted(std::string_view text) {
  const std::string_view inner = text.substr(1, text.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  return parse_json(text).get<std::string>();
}

}  // namespace hone::schema
