#include "hone/memory/tools.h"

#include <algorithm>
#include <cctype>

#include "hone/base/text.h"

namespace hone::memory {
namespace {

constexpr std::size_t kMost = 32;
constexpr std::size_t kLongest = 80;
constexpr std::size_t kShortestDotted = 5;  // Longer than "e.g" and "v1.2".
constexpr std::string_view kAround = ".,;:!?\"'<>[]{}`";

bool is_around(char c) { return kAround.find(c) != kAround.npos; }
bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool ends_around(std::string_view word) {
  return is_around(word.back()) || (word.back() == ')' && !word.ends_with("()"));
}

std::string_view stripped(std::string_view word) {
  while (!word.empty() && (is_around(word.front()) || word.front() == '(')) word.remove_prefix(1);
  while (!word.empty() && ends_around(word)) word.remove_suffix(1);
  return word;
}

// A path without what differs from call to call.
std::string_view without_query(std::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  while (!path.empty()) {
    const auto slash = path.rfind('/');
    const std::string_view last = path.substr(slash == path.npos ? 0 : slash + 1);
    const bool counts = std::ranges::any_of(last, is_letter);
    if (counts || slash == path.npos) break;
    path = path.substr(0, slash);
  }
  return path;
}

bool is_dotted(std::string_view word) {
  const auto dot = word.find('.');
  if (dot == word.npos || word.size() < kShortestDotted) return false;
  return dot > 0 && is_letter(word[dot - 1]) && is_letter(word[dot + 1]);
}

// Empty if the word is an ordinary one.
std::string_view tool_of(std::string_view word) {
  if (const auto scheme = word.find("://"); scheme != word.npos) {
    return without_query(word.substr(scheme + 3));
  }
  if (word.starts_with('/')) return without_query(word);
  const bool is_code = has(word, "_") || has(word, "::") || word.ends_with("()");
  return is_code || is_dotted(word) ? word : std::string_view();
}

void add(std::set<std::string>& tools, std::string_view tool) {
  if (tool.ends_with("()")) tool.remove_suffix(2);
  const bool names = std::ranges::any_of(tool, is_letter);
  if (names && tool.size() <= kLongest && tools.size() < kMost) tools.insert(lower(tool));
}

}  // namespace

std::set<std::string> tools_in(std::string_view text) {
  std::set<std::string> tools;
  for (auto open = text.find('`'); open != text.npos;) {
    const auto close = text.find('`', open + 1);
    if (close == text.npos) break;
    const std::string_view quoted = text.substr(open + 1, close - open - 1);
    if (!has(quoted, "\n")) add(tools, trim(quoted));
    open = text.find('`', close + 1);
  }
  for (std::size_t at = 0; at < text.size();) {
    const auto start = text.find_first_not_of(" \t\r\n", at);
    if (start == text.npos) break;
    at = std::min(text.find_first_of(" \t\r\n", start), text.size());
    add(tools, tool_of(stripped(text.substr(start, at - start))));
  }
  return tools;
}

}  // namespace hone::memory
