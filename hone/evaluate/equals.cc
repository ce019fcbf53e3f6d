#include "hone/evaluate/equals.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "hone/base/text.h"
#include "hone/evaluate/json_difference.h"
#include "hone/evaluate/output_json.h"

namespace hone::evaluate {
namespace {

// The line of `output` where its trimmed text first differs from `expected`.
int line_of_difference(std::string_view output, std::string_view expected) {
  const std::string_view text = trim(output);
  const auto same = std::ranges::mismatch(text, expected).in1 - text.begin();
  const auto shown = static_cast<std::size_t>(text.data() + same - output.data());
  return static_cast<int>(std::ranges::count(output.substr(0, shown), '\n')) + 1;
}

core::Evaluation compare_text(std::string_view output, std::string_view expected) {
  expected = trim(expected);
  if (trim(output) == expected) return core::passed();
  core::Issue issue;
  issue.kind = "equals";
  issue.message = "the output is not the expected text from this line on";
  issue.line = line_of_difference(output, expected);
  return core::failed(Score(0.0), {std::move(issue)});
}

core::Evaluation compare_json(std::string_view output, const Json& expected) {
  const auto found = try_parse_json(without_fence(output));
  if (found) {
    auto issues = differences(*found, expected);
    return issues.empty() ? core::passed() : core::failed(Score(0.0), std::move(issues));
  }
  const OutputJson reason = find_json(output);
  core::Issue issue;
  issue.kind = "json";
  issue.message = reason.json ? "the output must be JSON and nothing else" : reason.problem;
  issue.line = reason.line;
  return core::failed(Score(0.0), {std::move(issue)});
}

}  // namespace

EqualsCheck::EqualsCheck(JsonText expected) : expected_(std::move(expected)) {}

async<core::Evaluation> EqualsCheck::evaluate(core::Context, const core::Run&,
                                              const core::Output& output) {
  const Json expected = parse_json(expected_.text);
  if (expected.is_string()) {
    co_return compare_text(output.text, expected.get_ref<const std::string&>());
  }
  co_return compare_json(output.text, expected);
}

}  // namespace hone::evaluate
