#include "hone/yaml/write.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "hone/base/text.h"
#include "hone/yaml/scalar.h"

namespace hone::yaml {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == '-' ||
         c == '.';
}

// Text that needs no quotes and is no number, boolean or null.
bool is_plain(std::string_view text) {
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return false;
  if (!std::ranges::all_of(text, is_word_character)) return false;
  const auto value = plain_scalar(text);
  return value && std::holds_alternative<std::string>(*value);
}

// What YAML takes for a control, for the end of a line or of the document, and how it is written.
struct Odd {
  std::string_view character;
  std::string_view escaped;
};
constexpr std::array kOdd{Odd{"\x7F", "\\u007f"},         Odd{"\xC2\x85", "\\u0085"},
                          Odd{"\xE2\x80\xA8", "\\u2028"}, Odd{"\xE2\x80\xA9", "\\u2029"},
                          Odd{"\xEF\xBB\xBF", "\\ufeff"}, Odd{"\xEF\xB7\x90", "\\ufdd0"}};

bool has_odd_characters(std::string_view text) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
  };
  const auto contains = [&](const Odd& odd) {
    return text.find(odd.character) != std::string_view::npos;
  };
  return std::ranges::any_of(text, is_control) || std::ranges::any_of(kOdd, contains);
}

std::string quoted(const std::string& content) {
  std::string text = dump(Json(content));
  for (const Odd& odd : kOdd) {
    for (std::size_t at = 0; (at = text.find(odd.character, at)) != std::string::npos;) {
      text.replace(at, odd.character.size(), odd.escaped);
    }
  }
  return text;
}

bool is_blank(const std::string& line) { return trim(line).empty() && !line.empty(); }

// Whether the text can stand in a block of its own.
bool fits_block(const std::string& text, const std::vector<std::string>& lines) {
  if (lines.size() < 2 || lines.front().empty() || has_odd_characters(text)) return false;
  if (lines.front().front() == ' ' || lines.front().front() == '\t') return false;
  return std::ranges::none_of(lines, is_blank);
}

class Writer {
 public:
  void value(const Json& json, std::size_t depth) {
    if (json.is_object() && !json.empty()) return members(json, depth);
    if (json.is_array() && !json.empty()) return elements(json, depth);
    out_ += ' ';
    if (json.is_string()) return text(json.get_ref<const std::string&>(), depth);
    out_ += dump(json);
    out_ += '\n';
  }

  void members(const Json& object, std::size_t depth) {
    if (!out_.empty()) out_ += '\n';
    for (const auto& [name, member] : object.items()) {
      indent(depth);
      this->member(name, member, depth);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void member(const std::string& name, const Json& json, std::size_t depth) {
    out_ += is_plain(name) ? name : quoted(name);
    out_ += ':';
    value(json, depth + 1);
  }

  // The first member of a mapping stands beside the dash.
  void elements(const Json& array, std::size_t depth) {
    out_ += '\n';
    for (const Json& element : array) {
      indent(depth);
      out_ += '-';
      if (element.is_object() && !element.empty()) {
        beside_dash(element, depth + 1);
      } else {
        value(element, depth + 1);
      }
    }
  }

  void beside_dash(const Json& object, std::size_t depth) {
    bool first = true;
    for (const auto& [name, json] : object.items()) {
      if (first) {
        out_ += ' ';
      } else {
        indent(depth);
      }
      first = false;
      member(name, json, depth);
    }
  }

  void text(const std::string& content, std::size_t depth) {
    const std::vector<std::string> lines = split(content, '\n');
    if (fits_block(content, lines)) return block(lines, depth);
    out_ += is_plain(content) ? content : quoted(content);
    out_ += '\n';
  }

  void block(std::vector<std::string> lines, std::size_t depth) {
    std::size_t newlines = 0;
    while (lines.back().empty()) {
      lines.pop_back();
      ++newlines;
    }
    out_ += newlines == 0 ? "|-\n" : newlines == 1 ? "|\n" : "|+\n";
    for (std::size_t i = 1; i < newlines; ++i) lines.emplace_back();
    for (const std::string& line : lines) {
      if (!line.empty()) indent(depth);
      out_ += line;
      out_ += '\n';
    }
  }

  void indent(std::size_t depth) { out_.append(2 * depth, ' '); }

  std::string out_;
};

}  // namespace

std::string write(const Json& value) {
  Writer writer;
  if (value.is_object() && !value.empty()) {
    writer.members(value, 0);
  } else {
    writer.value(value, 0);
  }
  return writer.take();
}

}  // namespace hone::yaml
