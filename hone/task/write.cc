#include "hone/task/write.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "hone/base/error.h"
#include "hone/task/code_checks.h"
#include "hone/task/judged_checks.h"
#include "hone/task/plain_checks.h"
#include "hone/task/stop_rules.h"

namespace hone::task {
namespace {

struct CheckWriter {
  Json operator()(const SchemaCheck& check) const {
    return {{"schema", parse_json(check.schema.text)}};
  }
  Json operator()(const ContainsCheck& check) const { return {{"contains", check.texts}}; }
  Json operator()(const EqualsCheck& check) const {
    return {{"equals", parse_json(check.value.text)}};
  }
  Json operator()(const RegexCheck& check) const {
    Json patterns = Json::object();
    if (!check.must.empty()) patterns["must"] = check.must;
    if (!check.must_not.empty()) patterns["must_not"] = check.must_not;
    return {{"regex", patterns}};
  }
  Json operator()(const CommandCheck& check) const {
    return {{"command", {{"run", check.run}, {"timeout", text_of(check.timeout)}}}};
  }
  Json operator()(const CodeCheck& check) const { return to_json(check); }
  Json operator()(const TestsCheck& check) const { return to_json(check); }
  Json operator()(const JudgeCheck& check) const { return to_json(check); }
  Json operator()(const CriteriaCheck& check) const { return to_json(check); }
  Json operator()(const CompareCheck& check) const { return to_json(check); }
};

Json to_json(const Check& check) {
  Json json = std::visit(CheckWriter(), check.options);
  if (check.always) json["judge"]["always"] = true;
  json["name"] = check.name;
  return json;
}

Json to_json(const core::Sampling& sampling) {
  Json json = Json::object();
  if (sampling.temperature) json["temperature"] = *sampling.temperature;
  if (sampling.top_p) json["top_p"] = *sampling.top_p;
  if (sampling.max_tokens) json["max_tokens"] = sampling.max_tokens->count;
  if (sampling.seed) json["seed"] = *sampling.seed;
  return json;
}

Json number_or_all(const std::optional<int>& number) { return number ? Json(*number) : Json(true); }

Json to_json(const reflect::RevisionOptions& revise) {
  Json json = {{"strategy", reflect::to_string(revise.strategy)},
               {"policy", revise.policy.name},
               {"include_prior_versions", number_or_all(revise.include_prior_versions)},
               {"include_reflection_history", number_or_all(revise.include_reflection_history)}};
  if (revise.max_revision_tokens) json["max_revision_tokens"] = revise.max_revision_tokens->count;
  return json;
}

Json to_json(const LessonRules& rules) {
  return {{"recall", rules.recall},
          {"learn", rules.learn},
          {"agent", rules.owner.agent},
          {"tenant", rules.owner.tenant},
          {"all_agents", rules.all_agents},
          {"order", memory::to_string(rules.order)},
          {"least", rules.least},
          {"at_once", rules.at_once},
          {"block", rules.block}};
}

Json to_json(const ReflectionRules& rules) {
  return {{"form", reflect::to_string(rules.options.forms)},
          {"success", rules.success},
          {"prompt", rules.options.instruction}};
}

Json to_json(const core::Budget& budget) {
  Json json = Json::object();
  if (budget.tokens) json["tokens"] = budget.tokens->count;
  if (budget.usd) json["usd"] = budget.usd->amount;
  if (budget.calls) json["calls"] = *budget.calls;
  if (budget.time) json["time"] = text_of(*budget.time);
  return json;
}

}  // namespace

JsonText to_json_text(const TaskFile& file) {
  Json json = {{"task", "{{ input.prompt }}"},
               {"system", "{{ input.system }}"},
               {"input", {{"prompt", file.task.prompt}, {"system", file.task.system}}},
               {"type", file.task.type},
               {"accept", {{"threshold", file.accept_threshold}}},
               {"revise", to_json(file.revise)},
               {"stop", to_json(file.stop)},
               {"select", core::to_string(file.select)},
               {"at_once", file.at_once},
               {"budget", to_json(file.budget)},
               {"lessons", to_json(file.lessons)},
               {"reflect", to_json(file.reflect)}};
  if (!file.escalate.to.empty()) {
    json["escalate"] = {{"to", file.escalate.to}, {"timeout", text_of(file.escalate.timeout)}};
  }
  if (file.profile != TaskFile().profile) json["profile"] = file.profile;
  for (const auto& [role, name] : file.models)
    json["model"][std::string(core::to_string(role))] = name;
  for (const auto& [role, sampling] : file.sampling) {
    json["sampling"][std::string(core::to_string(role))] = to_json(sampling);
  }
  json["check"] = Json::array();
  for (const Check& check : file.checks) json["check"].push_back(to_json(check));
  return {dump(json)};
}

TaskFile from_json_text(const JsonText& text, const std::filesystem::path& folder,
                        std::optional<core::Task> task) {
  try {
    TaskFile file = parse_task_file(text.text, "recorded task", folder);
    // It was recorded before there were lessons.
    if (!file.says("lessons")) file.lessons = {.recall = 0, .learn = false};
    file.task.input.reset();  // Holds the rendered texts.
    if (task) file.task = *std::move(task);
    return file;
  } catch (const Error& error) {
    throw Error(ErrorKind::Corrupt, "the recorded task cannot be read: " + error.message(),
                error.hint());
  }
}

}  // namespace hone::task
