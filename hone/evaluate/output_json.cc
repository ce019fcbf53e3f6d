#include "hone/evaluate/output_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ranges>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

constexpr std::string_view kFence = "```";

std::string_view line_at(std::string_view text, std::size_t start) {
  return text.substr(start, text.find('\n', start) - start);
}

// Inline code like ```x``` is none.
bool is_fence(std::string_view line) {
  line = trim(line);
  return line.starts_with(kFence) && line.find(kFence, line.find_first_not_of('`')) == line.npos;
}

struct Parts {
  std::vector<std::string_view> blocks;  // Contents of fences.
  std::vector<std::string_view> prose;   // What stands between them.
};

// A fence that is not closed ends with the text.
Parts parts_of(std::string_view text) {
  Parts parts;
  bool fenced = false;
  std::size_t begin = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::string_view line = line_at(text, start);
    const std::size_t next = std::min(text.size(), start + line.size() + 1);
    if (is_fence(line)) {
      (fenced ? parts.blocks : parts.prose).push_back(text.substr(begin, start - begin));
      fenced = !fenced;
      begin = next;
    }
    start = next;
  }
  std::string_view rest = text.substr(begin);
  if (fenced && trim(rest).ends_with(kFence)) rest = rest.substr(0, rest.rfind(kFence));
  (fenced ? parts.blocks : parts.prose).push_back(rest);
  return parts;
}

// Position after the value that begins with the bracket at `start`, by counting brackets outside of
// strings; absent when it does not end.
std::optional<std::size_t> end_of_brackets(std::string_view text, std::size_t start) {
  std::size_t open = 0;
  bool quoted = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++open;
    if ((c == '}' || c == ']') && --open == 0) return i + 1;
  }
  return std::nullopt;
}

bool is_json(std::string_view text) { return try_parse_json(trim(text)).has_value(); }

// The last bracketed value outside of others.
std::optional<std::string_view> last_in_prose(std::string_view text) {
  std::optional<std::string_view> last;
  for (std::size_t at = 0; (at = text.find_first_of("{[", at)) != std::string_view::npos;) {
    const auto end = end_of_brackets(text, at);
    if (!end) break;
    const std::string_view value = text.substr(at, *end - at);
    if (is_json(value)) last = value;
    at = *end;
  }
  return last;
}

// "line 2, column 7: the reason" as 2 and "column 7: the reason".
std::optional<int> take_line(std::string_view& reason) {
  constexpr std::string_view kWord = "line ";
  if (!reason.starts_with(kWord)) return std::nullopt;
  int line = 0;
  const auto rest =
      std::from_chars(reason.data() + kWord.size(), reason.data() + reason.size(), line);
  reason.remove_prefix(static_cast<std::size_t>(rest.ptr - reason.data()));
  reason.remove_prefix(std::min(reason.size(), reason.find_first_not_of(", ")));
  return line;
}

int line_at_offset(std::string_view text, std::size_t offset) {
  return static_cast<int>(std::ranges::count(text.substr(0, offset), '\n')) + 1;
}

// Why `part` of `output`, which does not parse, is no JSON.
OutputJson problem_of(std::string_view output, std::string_view part) {
  OutputJson result;
  try {
    parse_json(part);
  } catch (const Error& error) {
    constexpr std::string_view kStart = "this is not JSON: ";
    std::string_view reason = error.message();
    if (reason.starts_with(kStart)) reason.remove_prefix(kStart.size());
    const auto begin = static_cast<std::size_t>(part.data() - output.data());
    result.line = take_line(reason);
    if (result.line) *result.line += line_at_offset(output, begin) - 1;
    result.problem = fmt::format("the JSON of the output is broken: {}", reason);
  }
  return result;
}

// `text` is a part of `output`.
OutputJson found(std::string_view output, std::string_view text) {
  text = trim(text);
  OutputJson result;
  result.json = JsonText{std::string(text)};
  result.line = line_at_offset(output, static_cast<std::size_t>(text.data() - output.data()));
  return result;
}

OutputJson problem(std::string sentence) {
  OutputJson result;
  result.problem = std::move(sentence);
  return result;
}

bool starts_like_json(std::string_view text) {
  text = trim(text);
  return text.starts_with('{') || text.starts_with('[');
}

// Why there is no JSON: what is broken, if something looks like it.
OutputJson explain(std::string_view output, const Parts& parts) {
  const auto block = std::ranges::find_if(parts.blocks, starts_like_json);
  if (block != parts.blocks.end()) return problem_of(output, *block);
  for (const std::string_view text : parts.prose) {
    const std::size_t start = text.find_first_of("{[");
    if (start == std::string_view::npos) continue;
    const auto end = end_of_brackets(text, start).value_or(text.size());
    return problem_of(output, text.substr(start, end - start));
  }
  return problem("the output contains no JSON");
}

}  // namespace

OutputJson find_json(std::string_view output) {
  if (is_json(output)) return found(output, output);
  const Parts parts = parts_of(output);
  const auto count = std::ranges::count_if(parts.blocks, is_json);
  if (count == 1) return found(output, *std::ranges::find_if(parts.blocks, is_json));
  if (count > 1) {
    return problem(fmt::format("the output has {} fenced blocks of JSON; give only one", count));
  }
  if (std::ranges::any_of(parts.blocks, starts_like_json)) return explain(output, parts);
  for (const std::string_view text : parts.prose | std::views::reverse) {
    if (const auto value = last_in_prose(text)) return found(output, *value);
  }
  return explain(output, parts);
}

std::string_view without_fence(std::string_view output) {
  const std::string_view text = trim(output);
  const std::string_view first = line_at(text, 0);
  const std::size_t last = text.rfind('\n');
  if (last == std::string_view::npos || last == first.size() || !is_fence(first)) return text;
  const bool encloses = trim(text.substr(last)) == kFence && parts_of(text).blocks.size() == 1;
  if (!encloses) return text;
  return trim(text.substr(first.size(), last - first.size()));
}

}  // namespace hone::evaluate
