#include "apps/hone/assembly.h"

#include <utility>
#include <variant>

#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/evaluate/chain.h"
#include "hone/evaluate/contains.h"
#include "hone/evaluate/equals.h"
#include "hone/evaluate/regex.h"
#include "hone/evaluate/schema_check.h"
#include "hone/evaluate/system_runner.h"
#include "hone/journal/journaled_effects.h"
#include "hone/memory/wording.h"
#include "hone/model/budgeted.h"
#include "hone/model/continued.h"
#include "hone/model/retried.h"
#include "hone/reflect/escalation.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"
#include "hone/sandbox/sandbox.h"
#include "hone/schema/bundle.h"

namespace hone::app {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

// What the output has to be, where one schema says it all. One that reaches into other files would
// mean nothing to a provider.
std::optional<JsonText> output_schema(const task::TaskFile& file) {
  std::optional<JsonText> schema;
  for (const task::Check& check : file.checks) {
    const auto* found = std::get_if<task::SchemaCheck>(&check.options);
    if (found == nullptr) continue;
    if (schema || schema::is_bundle(found->schema.text)) return std::nullopt;
    schema = found->schema;
  }
  return schema;
}

}  // namespace

Assembly::Assembly(const task::TaskFile& file, AssemblyOptions options)
    : file_(file),
      options_(std::move(options)),
      system_runner_(std::make_unique<evaluate::SystemRunner>()) {
  if (options_.code == nullptr) {
    own_code_ = std::make_unique<sandbox::Sandbox>();
    options_.code = own_code_.get();
  }
  if (options_.recording != nullptr) {
    journaled_runner_ =
        std::make_unique<journal::JournaledRunner>(*options_.recording, *system_runner_);
    journaled_code_ =
        std::make_unique<journal::JournaledCodeRunner>(*options_.recording, *options_.code);
  }
  evaluator_ = make_chain();
  if (options_.need == Need::AllRoles) make_writing_roles();
}

Assembly::~Assembly() = default;

core::Roles Assembly::roles() {
  core::Memory& memory = options_.memory != nullptr ? *options_.memory : no_memory_;
  core::Escalation* escalation = escalation_.get();
  if (guided_) return {*guided_, *evaluator_, *reflector_, *guided_, memory, escalation};
  return {*generator_, *evaluator_, *reflector_, *reviser_, memory, escalation};
}

// Continued(Journaled(Budgeted(Retried(provider)))): what the budget refuses or cuts short is
// recorded with its reason, and the rest of half an answer is an effect of its own.
core::Model& Assembly::wrapped(std::unique_ptr<core::Model> provider, const std::string& spec) {
  std::unique_ptr<core::Model> model = std::make_unique<model::Retried>(std::move(provider));
  auto cost = options_.cost_at_most ? options_.cost_at_most(spec) : model::CostAtMost();
  model = std::make_unique<model::Budgeted>(std::move(model), std::move(cost));
  if (options_.recording != nullptr) {
    models_.push_back(std::move(model));
    model = std::make_unique<journal::JournaledModel>(*options_.recording, *models_.back());
  }
  models_.push_back(std::make_unique<model::Continued>(std::move(model)));
  return *models_.back();
}

core::Model& Assembly::model_for(core::Role role) {
  const std::string spec = spec_of(file_, role);
  core::Model*& model = by_spec_[spec];
  if (model == nullptr) model = &wrapped(options_.make_model(role, spec), spec);
  model_names_[role] = model->name();
  return *model;
}

core::Sampling Assembly::sampling_for(core::Role role) const {
  const auto found = file_.sampling.find(role);
  return found == file_.sampling.end() ? core::Sampling() : found->second;
}

std::unique_ptr<core::Evaluator> Assembly::make_check(const task::Check& check) {
  using Made = std::unique_ptr<core::Evaluator>;
  return std::visit(
      Overloaded{[](const task::SchemaCheck& c) -> Made {
                   return std::make_unique<evaluate::SchemaCheck>(schema::Schema(c.schema.text));
                 },
                 [](const task::ContainsCheck& c) -> Made {
                   return std::make_unique<evaluate::ContainsCheck>(c.texts);
                 },
                 [](const task::EqualsCheck& c) -> Made {
                   return std::make_unique<evaluate::EqualsCheck>(c.value);
                 },
                 [](const task::RegexCheck& c) -> Made {
                   return std::make_unique<evaluate::RegexCheck>(
                       evaluate::RegexRules{.must = c.must, .must_not = c.must_not});
                 },
                 [this](const task::CommandCheck& c) { return make_command(c); },
                 [this](const task::CodeCheck& c) { return make_code(c); },
                 [this](const task::TestsCheck& c) { return make_tests(c); },
                 [this](const task::JudgeCheck& c) { return make_judge(c); },
                 [this](const task::CriteriaCheck& c) { return make_criteria(c); },
                 [this](const task::CompareCheck& c) { return make_compare(c); }},
      check.options);
}

std::unique_ptr<core::Evaluator> Assembly::make_chain() {
  std::vector<evaluate::NamedCheck> checks;
  for (const task::Check& check : file_.checks) {
    checks.push_back({.name = check.name,
                      .evaluator = make_check(check),
                      .is_judge = check.asks_a_model(),
                      .always = check.always});
  }
  return std::make_unique<evaluate::Chain>(std::move(checks));
}

std::unique_ptr<core::Generator> Assembly::make_generator() {
  if (options_.given) {
    const auto give = [text = *options_.given](const core::Run&) {
      return core::Output{.text = text};
    };
    return std::make_unique<core::FunctionGenerator>(give);
  }
  return std::make_unique<reflect::ModelGenerator>(
      model_for(core::Role::Generate), sampling_for(core::Role::Generate), output_schema(file_));
}

// The hand-over is recorded as a process is, be it one or a webhook.
std::unique_ptr<core::Escalation> Assembly::make_escalation() {
  if (file_.escalate.to.empty()) return nullptr;
  core::Runner* runner = &processes();
  if (reflect::is_webhook(file_.escalate.to)) {
    webhook_ = std::make_unique<reflect::WebhookRunner>();
    runner = webhook_.get();
    if (options_.recording != nullptr) {
      journaled_webhook_ =
          std::make_unique<journal::JournaledRunner>(*options_.recording, *webhook_);
      runner = journaled_webhook_.get();
    }
  }
  reflect::EscalationOptions options{.to = file_.escalate.to, .timeout = file_.escalate.timeout};
  options.wording = [](std::string_view text) { return memory::generic(text); };
  return std::make_unique<reflect::HandOver>(*runner, std::move(options));
}

void Assembly::make_writing_roles() {
  generator_ = make_generator();
  escalation_ = make_escalation();
  reflector_ = std::make_unique<reflect::ModelReflector>(
      model_for(core::Role::Reflect), sampling_for(core::Role::Reflect), file_.reflect.options);
  core::Model& model = model_for(core::Role::Revise);
  const core::Sampling sampling = sampling_for(core::Role::Revise);
  reviser_ =
      std::make_unique<reflect::ModelReviser>(model, file_.revise, sampling, output_schema(file_));
  if (!options_.fork || options_.fork->guidance.empty()) return;
  guided_ = std::make_unique<reflect::Guided>(*generator_, *reviser_, options_.fork->guidance,
                                              options_.fork->at);
}

}  // namespace hone::app
