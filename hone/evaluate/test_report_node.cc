#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

constexpr std::string_view kCross = "✖ ";
constexpr std::string_view kTestAt = "test at ";

bool is_frame(std::string_view line) { return trim(line).starts_with("at "); }

// "✖ adds (5.79ms)" as "adds".
std::string name_in(std::string_view line) {
  line = trim(line.substr(kCross.size()));
  return std::string(line.substr(0, line.rfind(" (")));
}

// From the line behind "test at file:4:1".
TestFailure failure_in(std::string place, std::span<const std::string> lines) {
  const auto first_frame = std::ranges::find_if(lines, is_frame);
  const Lines said(lines.begin() + 1, first_frame);
  const Lines stack(first_frame, lines.end());
  return {.test = name_in(lines.front()),
          .place = place_in_stack(stack).value_or(std::move(place)),
          .message = message_of(said)};
}

}  // namespace

std::vector<TestFailure> read_node(const Lines& lines) {
  std::vector<TestFailure> failures;
  auto line = std::ranges::find(lines, "✖ failing tests:");
  while (line != lines.end()) {
    line =
        std::find_if(line, lines.end(), [](const auto& text) { return text.starts_with(kTestAt); });
    const auto begin = line == lines.end() ? line : line + 1;
    line = std::find_if(begin, lines.end(),
                        [](const auto& text) { return text.starts_with(kTestAt); });
    if (begin == line || !begin->starts_with(kCross)) continue;
    if (begin->find("# TODO") != begin->npos) continue;
    const std::string place =
        place_at(std::string_view(*(begin - 1)).substr(kTestAt.size())).value_or("");
    failures.push_back(failure_in(place, std::span(begin, line)));
  }
  return failures;
}

}  // namespace hone::evaluate
