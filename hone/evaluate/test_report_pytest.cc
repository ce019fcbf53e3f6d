#include <algorithm>
#include <array>
#include <utility>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

// "____ test_total ____" as "test_total"; empty for another line.
std::string title_of(std::string_view line) {
  const auto first = line.find_first_not_of('_');
  const auto last = line.find_last_not_of('_');
  if (first == line.npos || first == 0 || last + 1 == line.size()) return {};
  const std::string_view title = line.substr(first, last - first + 1);
  if (!title.starts_with(' ') || !title.ends_with(' ')) return {};
  return std::string(trim(title));
}

bool is_rule(std::string_view line) { return line.starts_with("==="); }

bool begins_captured_text(std::string_view line) {
  return line.starts_with("---") && line.find(" Captured ") != line.npos;
}

// "ERROR at setup of test_x" and "ERROR collecting test_x.py" as what it is about.
std::string subject_of(std::string title) {
  for (const std::string_view words :
       {"ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting "}) {
    if (title.starts_with(words)) return title.substr(words.size());
  }
  return title;
}

// From a section's lines behind its title.
TestFailure failure_in(std::string title, std::span<const std::string> lines) {
  TestFailure failure;
  failure.test = subject_of(std::move(title));
  Lines said;
  for (const std::string& line : lines) {
    if (begins_captured_text(line)) break;
    if (line.starts_with("E ")) said.push_back(line.substr(1));
    if (line.starts_with(' ') || line.starts_with('E') || line.starts_with('>')) continue;
    if (auto place = place_at(line)) failure.place = *std::move(place);
  }
  failure.message = message_of(said);
  return failure;
}

// "FAILED file.py::Class::test - message"; its place is the file.
std::optional<TestFailure> summary_of(std::string_view line) {
  const bool counts = line.starts_with("FAILED ") || line.starts_with("ERROR ");
  if (!counts) return std::nullopt;
  line.remove_prefix(line.find(' ') + 1);
  const auto dash = line.find(" - ");
  const std::string_view id = line.substr(0, dash);
  if (id.find(".py") == id.npos) return std::nullopt;
  TestFailure failure;
  failure.message = dash == line.npos ? "" : message_of({std::string(line.substr(dash + 3))});
  const auto name = id.find("::");
  failure.test = id.substr(name == id.npos ? 0 : name + 2);
  if (name != id.npos) failure.place = id.substr(0, name);
  return failure;
}

// Sections write Class.test, the summary Class::test.
bool is_same(std::string_view title, std::string_view name) {
  std::string dotted(name);
  for (auto at = dotted.find("::"); at != dotted.npos; at = dotted.find("::"))
    dotted.replace(at, 2, ".");
  return title == dotted;
}

std::vector<TestFailure> sections_of(const Lines& lines) {
  std::vector<TestFailure> failures;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string title = title_of(lines[i]);
    if (title.empty()) continue;
    std::size_t end = i + 1;
    while (end < lines.size() && !is_rule(lines[end]) && title_of(lines[end]).empty()) ++end;
    const std::span all(lines);
    failures.push_back(failure_in(title, all.subspan(i + 1, end - i - 1)));
    i = end - 1;
  }
  return failures;
}

bool is_pytest(const Lines& lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    return is_rule(line) &&
           (line.find(" FAILURES ") != line.npos || line.find(" ERRORS ") != line.npos ||
            line.find(" short test summary info ") != line.npos);
  });
}

}  // namespace

std::vector<TestFailure> read_pytest(const Lines& lines) {
  if (!is_pytest(lines)) return {};
  std::vector<TestFailure> failures = sections_of(lines);
  const std::size_t sections = failures.size();
  for (const std::string& line : lines) {
    auto summary = summary_of(line);
    if (!summary) continue;
    const auto end = failures.begin() + static_cast<std::ptrdiff_t>(sections);
    const auto same = [&](const TestFailure& one) { return is_same(one.test, summary->test); };
    const auto section = std::find_if(failures.begin(), end, same);
    if (section == end) {
      failures.push_back(*std::move(summary));
    } else if (section->message.empty()) {
      section->message = std::move(summary->message);
    }
  }
  return failures;
}

}  // namespace hone::evaluate
