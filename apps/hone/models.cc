#include "apps/hone/models.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/hone/weights.h"
#include "hone/base/error.h"
#include "hone/core/json_form.h"
#include "hone/core/json_form_reader.h"
#include "hone/model/command.h"

namespace hone::app {
namespace {

// One model that several roles and runs share.
class SharedModel final : public core::Model {
 public:
  explicit SharedModel(std::shared_ptr<core::Model> model) : model_(std::move(model)) {}
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    return model_->complete(std::move(context), request);
  }
  std::string name() const override { return model_->name(); }

 private:
  std::shared_ptr<core::Model> model_;
};

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

namespace {

bool weak_sandbox(const Flags& flags) {
  const bool said = !flags.sandbox.empty() || !flags.defaults;
  return (said ? flags.sandbox : flags.defaults->sandbox) == "weak";
}

}  // namespace

Models::Models(const Flags& flags, std::filesystem::path folder)
    : flags_{.base_url = flags.base_url, .key_file = flags.api_key_file},
      folder_(std::move(folder)),
      code_({.weak = weak_sandbox(flags)}) {
  if (!flags.defaults) return;
  if (!is_set("OPENAI_BASE_URL")) configured_.base_url = flags.defaults->base_url;
  if (!is_set("OPENAI_API_KEY")) configured_.key_file = flags.defaults->api_key_file;
}

model::AccessOptions Models::access_for(const model::ModelSpec& spec) const {
  model::AccessOptions access = flags_;
  if (spec.provider != model::Provider::OpenAi) return access;
  if (access.base_url.empty()) access.base_url = configured_.base_url;
  if (access.key_file.empty()) access.key_file = configured_.key_file;
  return access;
}

std::string Models::script_file(const std::string& name) const {
  const std::filesystem::path beside_task = folder_ / name;
  const bool here = std::filesystem::exists(name) || !std::filesystem::exists(beside_task);
  return here ? name : beside_task.string();
}

std::unique_ptr<core::Model> Models::make(const std::string& name) {
  std::shared_ptr<core::Model>& made = made_[name];
  if (!made) made = make_provider(name);
  return std::make_unique<SharedModel>(made);
}

std::shared_ptr<core::Model> Models::make_provider(const std::string& name) {
  const model::ModelSpec spec = model::parse_spec(name);
  switch (spec.provider) {
    case model::Provider::Local:
      return make_local(spec);
    case model::Provider::OpenAi:
    case model::Provider::Anthropic:
    case model::Provider::Compatible:
      return model::make_http_model(spec, name, access_for(spec));
    case model::Provider::Command:
      return std::make_shared<model::CommandModel>(spec.command, runner_);
    case model::Provider::Scripted:
      return make_script(spec.file);
  }
  throw Error(ErrorKind::Internal, "a provider without a model");
}

core::Ledger::CostAtMost Models::cost_at_most(const std::string& spec) const {
  const model::ModelSpec parsed = model::parse_spec(spec);
  return model::cost_at_most(parsed, access_for(parsed));
}

std::shared_ptr<core::Model> Models::make_script(const std::string& file) {
  auto script = std::make_shared<model::ScriptedModel>(model::read_script(script_file(file)), file);
  scripts_[script->name()] = script;
  return script;
}

void Models::mark_used(const std::string& run, const journal::Record& effect) {
  if (scripts_.empty() || effect.kind != journal::Kind::Model) return;
  const Json request = parse_json(effect.request);
  const auto script = scripts_.find(core::text_from_json(request.at("model"), "model"));
  if (script == scripts_.end()) return;
  const core::ModelRequest asked = core::model_request_from_json(request.at("request"));
  core::ModelReply reply;
  if (!effect.failed) reply = core::model_reply_from_json(parse_json(effect.answer));
  script->second->mark_used(run, asked, effect.failed ? nullptr : &reply);
}

std::shared_ptr<core::Model> Models::make_local(const model::ModelSpec& spec) {
  if (!local_) {
    local_ = std::make_unique<model::LocalModels>(model::built_in_catalogue(),
                                                  model::local_options_from_environment());
  }
  if (spec.file.empty()) offer_weights(model::built_in_catalogue().get(spec.model));
  return local_->get(spec.file.empty() ? spec.model : spec.file);
}

}  // namespace hone::app
