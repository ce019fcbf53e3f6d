#include "hone/evaluate/command_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/evaluate/test_report.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kLineColumns = 300;
constexpr std::size_t kMessageBytes = 2000;

core::Issue issue_of(std::string message) {
  core::Issue issue;
  issue.kind = "command";
  issue.message = std::move(message);
  return issue;
}

std::string capped(std::string_view text) {
  text = trim(text);
  if (text.size() <= kMessageBytes) return std::string(text);
  std::size_t end = kMessageBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

// The text of the first of these members that is one.
std::optional<std::string> text_in(const Json& object,
                                   std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto member = object.find(name);
    if (member == object.end() || !member->is_string()) continue;
    std::string text = capped(member->get_ref<const std::string&>());
    if (!text.empty()) return text;
  }
  return std::nullopt;
}

// A place as a JSON pointer, from one or from names with dots between them.
std::string pointer_of(std::string_view place) {
  std::string pointer;
  if (place.empty() || place.starts_with('/')) return std::string(place);
  for (const std::string& name : split(place, '.')) pointer += '/' + name;
  return pointer;
}

core::Issue issue_in(const Json& entry) {
  if (entry.is_string()) return issue_of(capped(entry.get_ref<const std::string&>()));
  if (!entry.is_object()) return issue_of(capped(dump(entry)));
  core::Issue issue =
      issue_of(text_in(entry, {"message", "error", "reason"}).value_or(capped(dump(entry))));
  issue.path = pointer_of(text_in(entry, {"path", "pointer"}).value_or(""));
  issue.kind = text_in(entry, {"kind"}).value_or(issue.kind);
  const auto line = entry.find("line");
  const bool has_line = line != entry.end() && line->is_number_integer();
  if (has_line && *line >= 1 && *line <= 1'000'000'000) issue.line = line->get<int>();
  if (text_in(entry, {"severity"}) == "warning") issue.severity = core::Severity::Warning;
  return issue;
}

std::vector<core::Issue> issues_in(const Json& object) {
  std::vector<core::Issue> issues;
  for (const std::string_view name : {"issues", "errors"}) {
    const auto listed = object.find(name);
    if (listed == object.end() || !listed->is_array()) continue;
    for (const Json& entry : *listed) {
      if (issues.size() < kMostIssues) issues.push_back(issue_in(entry));
    }
  }
  std::erase_if(issues, [](const core::Issue& issue) { return issue.message.empty(); });
  if (!issues.empty()) return issues;
  if (auto reason = text_in(object, {"reason", "feedback", "message", "error", "issues", "errors"}))
    issues.push_back(issue_of(*std::move(reason)));
  return issues;
}

// A score of 1 contradicts the program's failure.
std::optional<Score> score_in(const Json& object) {
  const auto score = object.find("score");
  if (score == object.end() || !score->is_number()) return std::nullopt;
  const double value = score->get<double>();
  return value < 1.0 ? Score::in_range(value) : std::nullopt;
}

std::vector<std::string> suggestions_in(const Json& object) {
  std::vector<std::string> suggestions;
  const auto listed = object.find("suggestions");
  if (listed == object.end() || !listed->is_array()) return suggestions;
  for (const Json& entry : *listed) {
    const bool wanted = entry.is_string() && suggestions.size() < kMostIssues;
    if (wanted) suggestions.push_back(capped(entry.get_ref<const std::string&>()));
  }
  return suggestions;
}

std::optional<Json> object_at_end(std::string_view output) {
  const std::string_view text = trim(output);
  auto value = try_parse_json(text);
  if (!value) value = try_parse_json(trim(text.substr(text.rfind('\n') + 1)));
  if (value && value->is_object()) return value;
  return std::nullopt;
}

std::vector<core::Issue> issues_of_lines(const core::ProcessResult& result) {
  std::vector<std::string> lines;
  for (const std::string& line : split(result.errors + "\n" + result.output, '\n')) {
    if (!trim(line).empty()) lines.push_back(one_line(line, kLineColumns));
  }
  if (lines.size() > kMostIssues) {
    const auto half = static_cast<std::ptrdiff_t>(kMostIssues / 2);
    const auto dropped = lines.size() - kMostIssues + 1;
    lines.erase(lines.begin() + half, lines.end() - half + 1);
    lines.insert(lines.begin() + half, fmt::format("… {} lines are left out", dropped));
  }
  std::vector<core::Issue> issues;
  for (std::string& line : lines) issues.push_back(issue_of(std::move(line)));
  return issues;
}

std::vector<core::Issue> issues_of_tests(const core::ProcessResult& result) {
  const std::vector<TestFailure> failures = failing_tests(result.output + "\n" + result.errors);
  std::vector<core::Issue> issues;
  for (const TestFailure& failure : failures) {
    if (issues.size() == kMostTests) {
      issues.push_back(issue_of(fmt::format("… and {} more", failures.size() - kMostTests)));
      break;
    }
    issues.push_back(issue_of(sentence(failure)));
  }
  return issues;
}

}  // namespace

Report report_of(const core::ProcessResult& result) {
  Report report;
  if (const auto object = object_at_end(result.output)) {
    report.score = score_in(*object);
    report.issues = issues_in(*object);
    report.suggestions = suggestions_in(*object);
  }
  if (report.issues.empty()) report.issues = issues_of_tests(result);
  if (report.issues.empty()) report.issues = issues_of_lines(result);
  return report;
}

}  // namespace hone::evaluate
