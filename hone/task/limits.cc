#include "hone/task/limits.h"

#include <algorithm>
#include <array>
#include <limits>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 4> kBudgetKeys{"tokens", "usd", "calls", "time"};
constexpr std::array<std::string_view, 5> kReviseKeys{
    "strategy", "policy", "include_prior_versions", "include_reflection_history",
    "max_revision_tokens"};
constexpr std::array<std::string_view, 1> kAcceptKeys{"threshold"};
constexpr std::array<std::string_view, 9> kLessonsKeys{
    "recall", "learn", "agent", "tenant", "all_agents", "order", "least", "at_once", "block"};
constexpr std::array<std::string_view, 3> kReflectKeys{"form", "success", "prompt"};
constexpr std::array<std::string_view, 2> kEscalateKeys{"to", "timeout"};

}  // namespace

core::Budget read_budget(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kBudgetKeys);
  core::Budget budget;
  if (const auto value = present(fields, "tokens")) budget.tokens = Tokens{value->count(1)};
  if (const auto value = present(fields, "usd")) {
    budget.usd = Usd{value->number(0, std::numeric_limits<double>::infinity())};
  }
  if (const auto value = present(fields, "calls")) budget.calls = value->count(1);
  if (const auto value = present(fields, "time")) {
    budget.time = value->duration();
    if (*budget.time == Duration::zero()) throw value->must_be("a time of more than 0 s");
  }
  return budget;
}

core::Selection read_select(const yaml::Field& field) {
  if (const auto selection = core::selection_from(field.text())) return *selection;
  throw unknown_word(field, {"highest_score", "latest", "first_satisfactory", "weighted_recency",
                             "first", "first_unless_corrected"});
}

namespace {

reflect::Strategy strategy_of(const yaml::Field& field) {
  if (const auto strategy = reflect::strategy_from(field.text())) return *strategy;
  throw unknown_word(field,
                     {"regenerate", "full_rewrite", "targeted_edit", "incremental", "hybrid"});
}

reflect::Policy policy_of(const yaml::Field& field) {
  std::vector<std::string> names;
  for (const reflect::Policy& policy : reflect::policies()) {
    if (policy.name == field.text()) return policy;
    names.push_back(policy.name);
  }
  throw unknown_word(field, names);
}

// A number, true for all or false for none.
std::optional<int> number_or_all(const yaml::Field& field) {
  constexpr std::int64_t kMost = 1'000'000;
  const bool* all = field.node().get_if<bool>();
  if (all == nullptr) return static_cast<int>(field.whole(0, kMost));
  return *all ? std::nullopt : std::optional(0);
}

}  // namespace

reflect::RevisionOptions read_revise(const yaml::Field& field) {
  reflect::RevisionOptions options;
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) {
    options.strategy = strategy_of(field);
    return options;
  }
  const yaml::Fields fields = field.mapping(kReviseKeys);
  if (const auto value = present(fields, "strategy")) options.strategy = strategy_of(*value);
  if (const auto value = present(fields, "policy")) options.policy = policy_of(*value);
  if (const auto value = present(fields, "include_prior_versions")) {
    options.include_prior_versions = number_or_all(*value);
  }
  if (const auto value = present(fields, "include_reflection_history")) {
    options.include_reflection_history = number_or_all(*value);
  }
  if (const auto value = present(fields, "max_revision_tokens")) {
    options.max_revision_tokens = Tokens{value->count(1)};
  }
  return options;
}

double read_accept(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kAcceptKeys);
  const auto threshold = present(fields, "threshold");
  return threshold ? threshold->number(0, 1) : TaskFile().accept_threshold;
}

namespace {

std::string read_name(const yaml::Field& field, std::string_view what) {
  const std::string name = field.text();
  try {
    memory::check_name(what, name);
  } catch (const Error& error) {
    throw field.error(error.message(), error.hint());
  }
  return name;
}

memory::Order read_order(const yaml::Field& field) {
  if (const auto order = memory::order_from(field.text())) return *order;
  throw unknown_word(field, {"hybrid", "similarity", "protocol"});
}

}  // namespace

LessonRules read_lessons(const yaml::Field& field) {
  LessonRules rules;
  if (field.is_false()) return {.recall = 0, .learn = false};
  const yaml::Fields fields = field.mapping(kLessonsKeys);
  if (const auto recall = present(fields, "recall")) {
    rules.recall = static_cast<int>(std::min<std::int64_t>(recall->whole(0), 1'000'000));
  }
  if (const auto learn = present(fields, "learn")) rules.learn = learn->boolean();
  if (const auto agent = present(fields, "agent"))
    rules.owner.agent = read_name(*agent, "an agent");
  if (const auto tenant = present(fields, "tenant")) {
    rules.owner.tenant = read_name(*tenant, "a tenant");
  }
  if (const auto all = present(fields, "all_agents")) rules.all_agents = all->boolean();
  if (const auto order = present(fields, "order")) rules.order = read_order(*order);
  if (const auto least = present(fields, "least")) rules.least = least->number(0, 1);
  if (const auto at_once = present(fields, "at_once")) rules.at_once = at_once->boolean();
  if (const auto block = present(fields, "block")) rules.block = block->boolean();
  return rules;
}

ReflectionRules read_reflect(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kReflectKeys);
  ReflectionRules rules;
  if (const auto form = present(fields, "form")) {
    const auto forms = reflect::forms_from(form->text());
    if (!forms) throw unknown_word(*form, {"full", "by_outcome", "sentence"});
    rules.options.forms = *forms;
  }
  if (const auto success = present(fields, "success")) rules.success = success->boolean();
  if (const auto prompt = present(fields, "prompt")) rules.options.instruction = prompt->text();
  rules.options.keeps_procedures = rules.success;
  return rules;
}

EscalationRules read_escalate(const yaml::Field& field) {
  EscalationRules rules;
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) {
    rules.to = field.text();
  } else {
    const yaml::Fields fields = field.mapping(kEscalateKeys);
    rules.to = fields.get("to").text();
    if (const auto timeout = present(fields, "timeout")) rules.timeout = timeout->duration();
    if (rules.timeout == Duration::zero()) {
      throw fields.get("timeout").must_be("a time of more than 0 s");
    }
  }
  if (!trim(rules.to).empty()) return rules;
  throw field.must_be("a command, or the address of a webhook");
}

}  // namespace hone::task
