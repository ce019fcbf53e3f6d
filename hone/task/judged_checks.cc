#include "hone/task/judged_checks.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/task/plain_checks.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

using evaluate::ScoreFrom;

constexpr std::array<std::string_view, 7> kJudgeKeys{"rubric",     "threshold", "samples", "always",
                                                     "sequential", "score",     "examples"};
constexpr std::array<std::string_view, 4> kExampleKeys{"output", "passed", "score", "reason"};
constexpr std::array<std::string_view, 3> kCriteriaKeys{"criteria", "rubric", "threshold"};
constexpr std::array<std::string_view, 8> kCriterionKeys{
    "name", "description", "weight", "threshold", "evaluator", "pattern", "run", "timeout"};
constexpr std::array<std::string_view, 3> kCompareKeys{"reference", "with", "rubric"};
constexpr std::int64_t kMostSamples = 1000;
constexpr double kMostWeight = 1'000'000;

ScoreFrom score_from(const yaml::Field& field) {
  const std::string word = field.text();
  if (word == "auto") return ScoreFrom::Auto;
  if (word == "probability") return ScoreFrom::Probability;
  if (word == "stated") return ScoreFrom::Stated;
  throw unknown_word(field, {"auto", "probability", "stated"});
}

std::string_view to_string(ScoreFrom score) {
  constexpr std::array<std::string_view, 3> kWords{"auto", "probability", "stated"};
  return kWords[static_cast<std::size_t>(score)];
}

prompt::Example example(const yaml::Field& field, Files& files) {
  const yaml::Fields fields = field.mapping(kExampleKeys);
  prompt::Example example;
  example.output = files.text(fields.get("output"));
  if (const auto passed = present(fields, "passed")) example.passed = passed->boolean();
  if (const auto score = present(fields, "score")) example.score = Score(score->number(0, 1));
  if (const auto reason = present(fields, "reason")) example.reason = reason->text();
  if (example.passed || example.score) return example;
  throw field.error("this example says neither `passed` nor `score`",
                    "an example shows a judge an output with its verdict");
}

std::optional<double> threshold_of(const yaml::Fields& fields) {
  const auto threshold = present(fields, "threshold");
  return threshold ? std::optional(threshold->number(0, 1)) : std::nullopt;
}

double weight_of(const yaml::Field& field) {
  const double weight = field.number(0, kMostWeight);
  if (weight > 0) return weight;
  throw field.must_be("a number above 0", "leave the criterion out if it does not count");
}

void read_evaluator(const yaml::Fields& fields, CriterionEntry& criterion) {
  const auto evaluator = present(fields, "evaluator");
  const std::string word = evaluator ? evaluator->text() : "llm";
  if (word == "regex") {
    criterion.pattern = RegexCheck{patterns(fields.get("pattern")), {}};
  } else if (word == "command") {
    criterion.command = command_of(fields);
  } else if (word != "llm") {
    throw unknown_word(*evaluator, {"llm", "regex", "command"});
  }
  for (const std::string_view key : {"pattern", "run", "timeout"}) {
    const auto given = present(fields, key);
    const bool used =
        key == "pattern" ? criterion.pattern.has_value() : criterion.command.has_value();
    if (!given || used) continue;
    throw given->error(
        fmt::format("`{}` does not go with the evaluator {}", key, word),
        key == "pattern" ? "write `evaluator: regex`" : "write `evaluator: command`");
  }
}

CriterionEntry criterion_of(const yaml::Field& field) {
  CriterionEntry criterion;
  if (field.node().get_if<std::string>() != nullptr) {
    criterion.name = nonempty(field);
    return criterion;
  }
  const yaml::Fields fields = field.mapping(kCriterionKeys);
  criterion.name = nonempty(fields.get("name"));
  if (const auto text = present(fields, "description")) criterion.description = text->text();
  if (const auto weight = present(fields, "weight")) criterion.weight = weight_of(*weight);
  criterion.threshold = threshold_of(fields);
  read_evaluator(fields, criterion);
  return criterion;
}

std::vector<CriterionEntry> criteria_of(const yaml::Field& field) {
  std::vector<CriterionEntry> criteria;
  for (const yaml::Field& item : field.list()) {
    CriterionEntry criterion = criterion_of(item);
    for (const CriterionEntry& other : criteria) {
      if (other.name != criterion.name) continue;
      throw item.error(fmt::format("there are two criteria `{}`", criterion.name));
    }
    criteria.push_back(std::move(criterion));
  }
  if (criteria.empty()) throw field.error(fmt::format("`{}` is an empty list", field.name()));
  return criteria;
}

Json to_json(const CriterionEntry& criterion) {
  Json json = {{"name", criterion.name},
               {"description", criterion.description},
               {"weight", criterion.weight}};
  if (criterion.threshold) json["threshold"] = *criterion.threshold;
  if (criterion.pattern) {
    json["evaluator"] = "regex";
    json["pattern"] = criterion.pattern->must;
  }
  if (criterion.command) {
    json["evaluator"] = "command";
    json["run"] = criterion.command->run;
    json["timeout"] = text_of(criterion.command->timeout);
  }
  return json;
}

Json to_json(const prompt::Example& example) {
  Json json = {{"output", example.output}, {"reason", example.reason}};
  if (example.passed) json["passed"] = *example.passed;
  if (example.score) json["score"] = example.score->value();
  return json;
}

}  // namespace

JudgeCheck read_judge(const yaml::Field& field, Files& files, bool* always) {
  JudgeCheck check;
  if (field.is_null()) return check;
  if (field.node().get_if<std::string>() != nullptr) {
    check.rubric = files.text(field);
    return check;
  }
  const yaml::Fields fields = field.mapping(kJudgeKeys);
  if (const auto rubric = present(fields, "rubric")) check.rubric = files.text(*rubric);
  check.threshold = threshold_of(fields);
  if (const auto samples = present(fields, "samples")) {
    check.samples = static_cast<int>(samples->whole(1, kMostSamples));
  }
  if (const auto value = present(fields, "sequential")) check.sequential = value->boolean();
  if (const auto value = present(fields, "score")) check.score = score_from(*value);
  if (const auto value = present(fields, "always")) *always = value->boolean();
  if (const auto examples = present(fields, "examples")) {
    for (const yaml::Field& item : examples->list()) {
      check.examples.push_back(example(item, files));
    }
  }
  return check;
}

CriteriaCheck read_criteria(const yaml::Field& field, Files& files) {
  CriteriaCheck check;
  if (field.is_null()) return check;
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) {
    check.criteria = criteria_of(field);
    return check;
  }
  const yaml::Fields fields = field.mapping(kCriteriaKeys);
  if (const auto list = present(fields, "criteria")) check.criteria = criteria_of(*list);
  if (const auto rubric = present(fields, "rubric")) check.rubric = files.text(*rubric);
  check.threshold = threshold_of(fields);
  return check;
}

CompareCheck read_compare(const yaml::Field& field, Files& files) {
  const yaml::Fields fields = field.mapping(kCompareKeys);
  CompareCheck check;
  const auto reference = present(fields, "reference");
  const auto with = present(fields, "with");
  if (reference.has_value() == with.has_value()) {
    throw field.error("a comparison needs either `reference` or `with: prior`",
                      "write {reference: \"…\"}, {reference: file://NAME} or {with: prior}");
  }
  if (with && with->text() != "prior") throw unknown_word(*with, {"prior"});
  if (reference) {
    check.reference = files.text(*reference);
    if (trim(*check.reference).empty()) throw reference->error("the reference is empty");
  }
  if (const auto rubric = present(fields, "rubric")) check.rubric = files.text(*rubric);
  return check;
}

Json to_json(const JudgeCheck& check) {
  Json json = {{"rubric", check.rubric},
               {"samples", check.samples},
               {"sequential", check.sequential},
               {"score", to_string(check.score)}};
  if (check.threshold) json["threshold"] = *check.threshold;
  for (const prompt::Example& example : check.examples)
    json["examples"].push_back(to_json(example));
  return {{"judge", json}};
}

Json to_json(const CriteriaCheck& check) {
  Json json = {{"rubric", check.rubric}};
  if (check.threshold) json["threshold"] = *check.threshold;
  for (const CriterionEntry& criterion : check.criteria) {
    json["criteria"].push_back(to_json(criterion));
  }
  return {{"criteria", json}};
}

Json to_json(const CompareCheck& check) {
  Json json = {{"rubric", check.rubric}};
  if (check.reference) {
    json["reference"] = *check.reference;
  } else {
    json["with"] = "prior";
  }
  return {{"compare", json}};
}

}  // namespace hone::task
