#include "apps/hone/models.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include "apps/hone/weights.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/command.h"
#include "hone/model/openai.h"
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

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

net::Secret key_from(const std::string& file) {
  if (file.empty()) return net::Secret(from_environment("OPENAI_API_KEY"));
  struct stat facts{};
  if (stat(file.c_str(), &facts) != 0) {
    throw Error(ErrorKind::InvalidInput, fmt::format("the key file `{}` cannot be read", file),
                "check --api-key-file, or `api_key_file` of the configuration");
  }
  if ((facts.st_mode & 077) != 0) {
    throw Error(ErrorKind::InvalidInput, fmt::format("others can read the key file `{}`", file),
                fmt::format("run: chmod 600 {}", file));
  }
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return net::Secret(std::string(trim(text.str())));
}

}  // namespace

Models::Models(const Flags& flags, std::filesystem::path folder)
    : base_url_(flags.base_url), key_file_(flags.api_key_file), folder_(std::move(folder)) {
  if (base_url_.empty()) base_url_ = from_environment("OPENAI_BASE_URL");
  if (!flags.defaults) return;
  if (base_url_.empty()) base_url_ = flags.defaults->base_url;
  if (from_environment("OPENAI_API_KEY").empty()) {
    configured_key_file_ = flags.defaults->api_key_file;
  }
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
    case model::Provider::Compatible:
      return make_openai(spec, name);
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

std::shared_ptr<core::Model> Models::make_openai(const model::ModelSpec& spec,
                                                 const std::string& name) {
  const bool own_server = spec.provider == model::Provider::Compatible;
  const std::string& key_file = key_file_.empty() && !own_server ? configured_key_file_ : key_file_;
  model::OpenAiOptions options;
  options.name = name;
  options.model = spec.model;
  options.key = key_from(key_file);
  const model::OpenAiAccess access{.base_url = own_server ? spec.url : base_url_,
                                   .has_key = !options.key.is_empty()};
  model::require_key(spec, access);
  // The provider's key is not for other servers, unless somebody named it for them.
  if (own_server && key_file.empty()) options.key = net::Secret();
  options.base_url = access.base_url.empty() ? std::string(model::kOpenAiUrl) : access.base_url;
  if (!key_file.empty()) options.key_name = key_file_.empty() ? "api_key_file" : "--api-key-file";
  return std::make_shared<model::OpenAi>(std::move(options));
}

}  // namespace hone::app
