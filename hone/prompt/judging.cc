#include "hone/prompt/judging.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "hone/base/text.h"
#include "hone/prompt/marks.h"
#include "hone/prompt/parts.h"

namespace hone::prompt {
namespace {

constexpr double kFair = 0.5;  // An example with a score alone counts as a yes from here on.

// yes, or no and its reason.
std::string verdict_word(const Example& example) {
  const double score = example.score ? example.score->value() : 1.0;
  if (example.passed.value_or(score >= kFair)) return "yes";
  return example.reason.empty() ? "no" : "no\n" + example.reason;
}

std::string item(const CriterionText& criterion) {
  const std::string_view description = trim(criterion.description);
  return description.empty() ? criterion.name : criterion.name + ": " + std::string(description);
}

}  // namespace

std::string verdict_line(const Example& example) {
  Json verdict = Json::object();
  if (example.passed) verdict["passed"] = *example.passed;
  if (example.score) verdict["score"] = example.score->value();
  if (!example.reason.empty()) verdict["reason"] = example.reason;
  return dump(verdict);
}

Values judge_values(const core::Run& run, const core::Output& output, const Rubric& rubric,
                    std::string (*verdict)(const Example& example)) {
  Values values = values_of(run, output);
  values.refer("rubric", trim(rubric.text));
  values.refer("criteria", trim(rubric.criteria));
  Json examples = Json::array();
  std::vector<std::string_view> texts;
  for (const Example& example : rubric.examples) {
    examples.push_back({{"output", example.output}, {"verdict", verdict(example)}});
    texts.push_back(example.output);
  }
  values.json("examples", {dump(examples)});
  values.text("examples_mark", mark_for("example", texts));
  return values;
}

Prompt judge_word_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric,
                         const std::string& problem) {
  Values values = judge_values(run, output, rubric, verdict_word);
  values.refer("problem", problem);
  return made("judge_word", run, values);
}

Prompt criteria_prompt(const core::Run& run, const core::Output& output, const Rubric& rubric,
                       const std::vector<CriterionText>& criteria, const std::string& problem) {
  Values values = values_of(run, output);
  std::vector<std::string> items;
  for (const CriterionText& criterion : criteria) items.push_back(item(criterion));
  values.refer("rubric", trim(rubric.text));
  values.texts("criteria", std::move(items));
  values.refer("problem", problem);
  return made("criteria", run, values);
}

Prompt compare_prompt(const core::Run& run, const Pair& texts, const Rubric& rubric,
                      const std::string& problem) {
  Values values = values_of(run);
  const std::vector<std::string_view> all{run.task.prompt, texts.first, texts.second};
  values.text("mark", mark_for("text", all));
  values.refer("first", texts.first);
  values.refer("second", texts.second);
  values.refer("rubric", trim(rubric.text));
  values.refer("problem", problem);
  return made("compare", run, values);
}

}  // namespace hone::prompt
