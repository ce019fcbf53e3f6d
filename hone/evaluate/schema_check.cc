#include "hone/evaluate/schema_check.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "hone/evaluate/json_lines.h"
#include "hone/evaluate/output_json.h"

namespace hone::evaluate {
namespace {

core::Evaluation without_json(OutputJson found) {
  core::Issue issue;
  issue.kind = "json";
  issue.message = std::move(found.problem);
  issue.line = found.line;
  return core::failed(Score(0.0), {std::move(issue)});
}

core::Issue issue_of(schema::Violation violation, const JsonLines& lines) {
  core::Issue issue;
  issue.line = lines.of(violation.instance);
  issue.path = std::move(violation.instance);
  issue.kind = std::move(violation.keyword);
  issue.message = std::move(violation.message);
  return issue;
}

std::vector<core::Issue> issues_of(std::vector<schema::Violation> violations,
                                   const JsonLines& lines) {
  std::vector<core::Issue> issues;
  for (schema::Violation& violation : violations) {
    if (issues.size() == SchemaCheck::kMostIssues) break;
    issues.push_back(issue_of(std::move(violation), lines));
  }
  if (issues.size() == violations.size()) return issues;
  core::Issue rest;
  rest.kind = "schema";
  rest.message = fmt::format("{} more violations are not listed",
                             violations.size() - SchemaCheck::kMostIssues);
  issues.push_back(std::move(rest));
  return issues;
}

}  // namespace

SchemaCheck::SchemaCheck(schema::Schema schema) : schema_(std::move(schema)) {}

async<core::Evaluation> SchemaCheck::evaluate(core::Context, const core::Run&,
                                              const core::Output& output) {
  OutputJson found = find_json(output.text);
  if (!found.json) co_return without_json(std::move(found));
  schema::Coerced coerced = schema_.coerce(*found.json);
  schema::Result& result = coerced.result;
  if (!result.valid) {
    const JsonLines lines(found.json->text, found.line.value_or(1));
    auto issues = issues_of(std::move(result.violations), lines);
    co_return core::failed(Score(result.share), std::move(issues));
  }
  core::Evaluation evaluation = core::passed();
  evaluation.value = JsonText{std::move(coerced.text)};
  co_return evaluation;
}

}  // namespace hone::evaluate
