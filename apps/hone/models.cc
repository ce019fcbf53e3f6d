#include "apps/hone/models.h"

#include <cstdlib>
#include <utility>

#include "apps/hone/weights.h"
#include "hone/base/error.h"
#include "hone/model/command.h"
#include "hone/model/scripted.h"

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
      return std::make_shared<model::ScriptedModel>(model::read_script(script_file(spec.file)),
                                                    spec.file);
  }
  throw Error(ErrorKind::Internal, "a provider without a model");
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
