#include "hone/yaml/parse.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "hone/base/text.h"
#include "hone/yaml/builder.h"

namespace hone::yaml {
namespace {

// What the place of a message is.
enum class Where { Found, Opening };

struct Explanation {
  std::string_view reason;  // How the message of yaml-cpp starts.
  std::string_view message;
  std::string_view hint;
  Where where = Where::Found;
};

constexpr std::array kExplanations{
    Explanation{"illegal map value", "this `:` starts a value where none can stand",
                "put text that contains `: ` in quotes, and check the indentation"},
    Explanation{"end of map not found", "this does not continue the mapping that it stands in",
                "check the indentation, and that every key has its `:`"},
    Explanation{"end of sequence not found", "this does not continue the list that it stands in",
                "check the indentation, and that every item starts with `- `"},
    Explanation{"end of map flow not found",
                "this `{` is not closed by `}`, or a `,` is missing behind it", "", Where::Opening},
    Explanation{"end of sequence flow not found",
                "this `[` is not closed by `]`, or a `,` is missing behind it", "", Where::Opening},
    Explanation{"illegal EOF in scalar", "the text in quotes does not end",
                "add the closing quote"},
    Explanation{"bad file", "the document nests too deep", ""},
    Explanation{"the referenced anchor is not defined", "this alias refers to no anchor",
                "define it before with &name, or put text that starts with * in quotes"},
    Explanation{"block sequence entries are not allowed", "a list item cannot stand here",
                "put it on a line of its own"},
    Explanation{"illegal block entry", "a list item (`- `) cannot stand here",
                "put it on a line of its own"},
    Explanation{"illegal flow end", "this bracket closes nothing", "remove it"},
    Explanation{"illegal map key", "a key cannot stand here", "put it on a line of its own"},
    Explanation{"illegal tab", "a tab cannot indent YAML", "use spaces"},
    Explanation{"unknown token", "this character cannot start a value", "put the text in quotes"},
};

bool is_indented_by_tab(std::string_view text, Position at) {
  for (int line = 1; line < at.line; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  const auto first = text.find_first_not_of(' ');
  return first != std::string_view::npos && text[first] == '\t';
}

Error explained(const YAML::Exception& failure, std::string_view text, std::string_view file,
                const Builder& builder) {
  Position at = builder.places().at(failure.mark);
  if (is_indented_by_tab(text, at)) {
    return error_at(file, {at.line, 1}, "a tab cannot indent YAML", "use spaces");
  }
  for (const Explanation& explanation : kExplanations) {
    if (failure.msg.starts_with(explanation.reason)) {
      if (explanation.where == Where::Opening) at = builder.innermost().value_or(at);
      return error_at(file, at, explanation.message, std::string(explanation.hint));
    }
  }
  return error_at(file, at, "this is not YAML: " + failure.msg);
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r');
}

std::optional<Position> first_control(std::string_view text) {
  Position at;
  for (const char c : text) {
    if (is_control(c)) return at;
    at = c == '\n' ? Position{at.line + 1, 1} : Position{at.line, at.column + 1};
  }
  return std::nullopt;
}

// The first line that is not UTF-8; one of them is not.
int first_bad_line(std::string_view text) {
  for (int line = 1;; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos || !is_utf8(text.substr(0, end))) return line;
    text.remove_prefix(end + 1);
  }
}

void check_bytes(std::string_view text, std::string_view file, const Limits& limits) {
  if (text.size() > limits.bytes) {
    throw error_at(file, {},
                   fmt::format("the file has {} bytes, more than {}", text.size(), limits.bytes));
  }
  if (!is_utf8(text)) {
    throw error_at(file, {first_bad_line(text), 1}, "this line is not UTF-8",
                   "save the file as UTF-8");
  }
  if (const auto at = first_control(text)) {
    throw error_at(file, *at, "a control character stands here", "remove it");
  }
}

// The code point of the escape \uXXXX at `text`, or 0.
unsigned escaped_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return 0;
  unsigned unit = 0;
  const auto [rest, failure] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return failure == std::errc() && rest == text.data() + 6 ? unit : 0;
}

// JSON writes characters beyond U+FFFF as two escapes, YAML as one. Elsewhere they are the same.
std::string json_as_yaml(std::string_view json) {
  std::string yaml;
  yaml.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const unsigned high = escaped_unit(json.substr(i));
    const unsigned low = high == 0 ? 0 : escaped_unit(json.substr(i + 6));
    if (high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      yaml += fmt::format("\\U{:08X}", 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
      i += 11;
      continue;
    }
    yaml += json[i];
    if (json[i] == '\\') yaml += json[++i];
  }
  return yaml;
}

bool is_json_with_escapes(std::string_view text) {
  const std::string_view start = trim(text).substr(0, 1);
  if (start != "{" && start != "[" && start != "\"") return false;
  return text.find("\\u") != std::string_view::npos && try_parse_json(text).has_value();
}

// yaml-cpp ends plain text inside of [ ] and { } at any `?`; YAML 1.2 does not. So those inside of
// a word are hidden, wherever they stand; Builder shows them again.
std::string with_hidden_questions(std::string_view text) {
  constexpr std::string_view kNoWord = " \t\r\n[]{},\\";
  std::string hidden;
  hidden.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_a_word = i > 0 && kNoWord.find(text[i - 1]) == std::string_view::npos;
    if (text[i] == '?' && in_a_word) {
      hidden += kHiddenQuestion;
    } else {
      hidden += text[i];
    }
  }
  return hidden;
}

Node read(const std::string& text, std::string_view file, const Limits& limits,
          Questions questions) {
  Builder builder(text, file, limits, questions);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    // At most twice: asked on and on, yaml-cpp finds documents in malformed input without end. The
    // second time, the builder refuses whatever stands there.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& failure) {
    throw explained(failure, text, file, builder);
  }
  if (const auto open = builder.open_quote()) {
    throw error_at(file, *open, "the text in quotes does not end", "add the closing quote");
  }
  return builder.take();
}

}  // namespace

Error error_at(std::string_view file, Position at, std::string_view message, std::string hint) {
  return {ErrorKind::InvalidInput, fmt::format("{}:{}:{}: {}", file, at.line, at.column, message),
          std::move(hint)};
}

Document parse(std::string_view text, std::string_view file, const Limits& limits) {
  check_bytes(text, file, limits);
  const std::string yaml = is_json_with_escapes(text) ? json_as_yaml(text) : std::string(text);
  const bool hides = text.find(kHiddenQuestion) == std::string_view::npos;
  if (!hides) return {std::string(file), read(yaml, file, limits, Questions::AsWritten)};
  const std::string hidden = with_hidden_questions(yaml);
  return {std::string(file), read(hidden, file, limits, Questions::Hidden)};
}

}  // namespace hone::yaml
