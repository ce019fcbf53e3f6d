#include "hone/evaluate/test_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kMessageColumns = 300;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Without the sequences that colour a terminal, and without carriage returns.
std::string plain(std::string_view text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') continue;
    if (!text.substr(i).starts_with("\x1b[")) {
      kept += text[i];
      continue;
    }
    i += 2;
    while (i < text.size() && (is_digit(text[i]) || text[i] == ';')) ++i;
  }
  return kept;
}

}  // namespace

std::string message_of(const Lines& lines) { return one_line(join(lines, " "), kMessageColumns); }

std::optional<std::string> place_at(std::string_view line) {
  line = trim(line);
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view file = line.substr(0, colon);
  if (file.find_first_of(" \t'\"") != file.npos || file.find('.') == file.npos) return std::nullopt;
  std::size_t end = colon + 1;
  while (end < line.size() && is_digit(line[end])) ++end;
  const bool ends_there = end == line.size() || line[end] == ':';
  if (end == colon + 1 || !ends_there) return std::nullopt;
  return std::string(line.substr(0, end));
}

std::optional<std::string> place_in_stack(const Lines& lines) {
  for (const std::string_view line : lines) {
    const auto open = line.rfind('(');
    const auto inside = open == line.npos ? std::nullopt : between(line.substr(open), "(", ")");
    if (!inside || inside->starts_with("node:")) continue;
    if (auto place = place_at(*inside)) return place;
  }
  return std::nullopt;
}

std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const auto begin = text.find(before);
  if (begin == text.npos) return std::nullopt;
  text.remove_prefix(begin + before.size());
  const auto end = text.find(after);
  if (end == text.npos) return std::nullopt;
  return text.substr(0, end);
}

std::size_t indent_of(std::string_view line) {
  const auto first = line.find_first_not_of(' ');
  return first == line.npos ? line.size() : first;
}

std::vector<TestFailure> failing_tests(std::string_view text) {
  const Lines lines = split(plain(text), '\n');
  // ctest shows what other runners print.
  for (const auto read : {read_ctest, read_cargo, read_go, read_pytest, read_node, read_tap}) {
    std::vector<TestFailure> failures = read(lines);
    if (!failures.empty()) return failures;
  }
  return {};
}

std::string sentence(const TestFailure& failure) {
  std::string text = failure.test.empty() ? "" : fmt::format("`{}` failed", failure.test);
  if (text.empty() && failure.message.empty()) text = "a test without a name failed";
  if (!failure.place.empty()) text += (text.empty() ? "at " : " at ") + failure.place;
  if (!failure.message.empty()) text += (text.empty() ? "" : ": ") + failure.message;
  return text;
}

}  // namespace hone::evaluate
