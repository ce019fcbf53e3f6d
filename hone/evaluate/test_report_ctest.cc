#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

// The number in "1/5 Test #1: adds ....***Failed 0.00 sec"; empty for another line.
std::string number_of_result(std::string_view line) {
  const auto number = between(line, " Test ", ":");
  const bool is_result = number && line.find(" sec") != line.npos;
  return is_result ? std::string(trim(number->substr(number->find('#') + 1))) : std::string();
}

bool begins_test(std::string_view line) {
  return line.starts_with("    Start ") || !number_of_result(line).empty();
}

// What each test printed, by its number.
std::map<std::string, Lines> outputs(const Lines& lines) {
  std::map<std::string, Lines> outputs;
  std::string number;
  for (const std::string& line : lines) {
    const std::string next = number_of_result(line);
    const bool ends = begins_test(line) || line.find("% tests passed") != line.npos;
    if (ends) number = next;
    if (!ends && !number.empty() && !trim(line).empty()) outputs[number].push_back(line);
  }
  return outputs;
}

bool tells(const std::string& line) {
  const std::string words = lower(line);
  const auto has = [&](const char* word) { return words.find(word) != words.npos; };
  return has("fail") || has("error") || has("assert") || has("expect") || has("panic");
}

// From the first line on that tells of a failure.
Lines telling(const Lines& lines) {
  const auto first = std::ranges::find_if(lines, tells);
  return first == lines.end() ? lines : Lines(first, lines.end());
}

// "  1 - adds (Failed)"
struct Entry {
  std::string number, name, reason;
};
std::optional<Entry> entry_of(std::string_view line) {
  line = trim(line);
  const auto dash = line.find(" - ");
  const auto open = line.rfind(" (");
  const auto close = line.rfind(')');
  if (dash == line.npos || open == line.npos || close == line.npos || open < dash)
    return std::nullopt;
  return Entry{std::string(line.substr(0, dash)),
               std::string(line.substr(dash + 3, open - dash - 3)),
               std::string(line.substr(open + 2, close - open - 2))};
}

}  // namespace

std::vector<TestFailure> read_ctest(const Lines& lines) {
  const auto list = std::ranges::find(lines, "The following tests FAILED:");
  if (list == lines.end()) return {};
  const std::map<std::string, Lines> printed = outputs(lines);
  std::vector<TestFailure> failures;
  for (auto line = list + 1; line != lines.end(); ++line) {
    const auto entry = entry_of(*line);
    if (!entry) break;
    const auto output = printed.find(entry->number);
    const Lines said = output == printed.end() ? Lines() : telling(output->second);
    TestFailure failure{.test = entry->name, .place = {}, .message = message_of(said)};
    if (entry->reason != "Failed") {
      failure.message = message_of({entry->reason + (said.empty() ? "" : ":"), failure.message});
    }
    failures.push_back(std::move(failure));
  }
  return failures;
}

}  // namespace hone::evaluate
