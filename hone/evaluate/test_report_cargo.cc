#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

constexpr std::string_view kPanicked = " panicked at ";

// "---- tests::adds stdout ----" as "tests::adds"; empty for another line.
std::string title_of(std::string_view line) {
  if (!line.starts_with("---- ") || !line.ends_with(" stdout ----")) return {};
  return std::string(*between(line, "---- ", " stdout ----"));
}

bool ends_message(std::string_view line) {
  return line.starts_with("stack backtrace:") || line.starts_with("note: ");
}

// Up to Rust 1.72: panicked at 'message', src/lib.rs:16:9
bool read_old_panic(std::string_view after, TestFailure& failure) {
  if (!after.starts_with('\'')) return false;
  const auto end = after.rfind("', ");
  if (end == after.npos) return false;
  failure.message = message_of({std::string(after.substr(1, end - 1))});
  failure.place = place_at(after.substr(end + 3)).value_or("");
  return true;
}

TestFailure failure_in(std::string title, std::span<const std::string> lines) {
  TestFailure failure;
  failure.test = std::move(title);
  Lines said;
  for (const std::string& line : lines) {
    if (ends_message(line)) break;
    const auto panicked = line.find(kPanicked);
    if (panicked == line.npos || !failure.place.empty()) {
      said.push_back(line);
      continue;
    }
    said.clear();  // What the test printed itself.
    const std::string_view after = std::string_view(line).substr(panicked + kPanicked.size());
    if (read_old_panic(after, failure)) return failure;
    failure.place = place_at(after).value_or("");
  }
  failure.message = message_of(said);
  return failure;
}

std::vector<TestFailure> sections_of(const Lines& lines) {
  std::vector<TestFailure> failures;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string title = title_of(lines[i]);
    if (title.empty()) continue;
    std::size_t end = i + 1;
    while (end < lines.size() && title_of(lines[end]).empty() && lines[end] != "failures:") ++end;
    failures.push_back(failure_in(title, std::span(lines).subspan(i + 1, end - i - 1)));
    i = end - 1;
  }
  return failures;
}

// error[E0277]: message, and below it: --> src/lib.rs:7:7
std::vector<TestFailure> errors_of(const Lines& lines) {
  std::vector<TestFailure> failures;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const std::string_view place = trim(lines[i + 1]);
    if (!lines[i].starts_with("error") || !place.starts_with("--> ")) continue;
    failures.push_back({.test = {},
                        .place = place_at(place.substr(4)).value_or(""),
                        .message = message_of({lines[i]})});
  }
  return failures;
}

// Tests without a section: "test tests::adds ... FAILED".
void add_unsaid(std::vector<TestFailure>& failures, const Lines& lines) {
  for (const std::string& line : lines) {
    if (!line.starts_with("test ") || !line.ends_with(" ... FAILED")) continue;
    const std::string name(*between(line, "test ", " ... FAILED"));
    if (std::ranges::find(failures, name, &TestFailure::test) != failures.end()) continue;
    failures.push_back({.test = name, .place = {}, .message = {}});
  }
}

}  // namespace

std::vector<TestFailure> read_cargo(const Lines& lines) {
  std::vector<TestFailure> failures = errors_of(lines);
  for (TestFailure& failure : sections_of(lines)) failures.push_back(std::move(failure));
  add_unsaid(failures, lines);
  return failures;
}

}  // namespace hone::evaluate
