#include "hone/model/http_provider.h"

#include <cstdlib>
#include <utility>

#include "hone/base/error.h"
#include "hone/model/anthropic.h"
#include "hone/model/openai.h"
#include "hone/model/priced.h"
#include "hone/net/key_file.h"

namespace hone::model {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// The names of a provider in the environment, and its own address.
struct Own {
  const char* base_url_name;
  const char* key_name;
  std::string_view url;
};

Own own(Provider provider) {
  if (provider == Provider::Anthropic) {
    return {"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", kAnthropicUrl};
  }
  return {"OPENAI_BASE_URL", "OPENAI_API_KEY", kOpenAiUrl};
}

std::string base_url(const ModelSpec& spec, const AccessOptions& options) {
  if (spec.provider == Provider::Compatible) return spec.url;
  if (!options.base_url.empty()) return options.base_url;
  const std::string set = environment(own(spec.provider).base_url_name);
  return set.empty() ? std::string(own(spec.provider).url) : set;
}

}  // namespace

ProviderAccess provider_access(const ModelSpec& spec, const AccessOptions& options) {
  ProviderAccess access{.base_url = base_url(spec, options)};
  access.key_name = own(spec.provider).key_name;
  if (!options.key_file.empty()) {
    access.key = net::read_key_file(options.key_file);
    access.key_name = "--api-key-file";
  } else if (spec.provider != Provider::Compatible) {
    access.key = net::Secret(environment(access.key_name.c_str()));
  }
  return access;
}

core::Ledger::CostAtMost cost_at_most(const ModelSpec& spec, const AccessOptions& options) {
  if (spec.provider != Provider::OpenAi && spec.provider != Provider::Anthropic) return {};
  if (!is_own_address(spec.provider, provider_access(spec, options).base_url)) return {};
  return [spec](Tokens prompt, Tokens answer) {
    return built_in_prices().cost_at_most(to_string(spec.provider), spec.model, prompt, answer);
  };
}

std::unique_ptr<core::Model> make_http_model(const ModelSpec& spec, const std::string& name,
                                             const AccessOptions& options) {
  ProviderAccess access = provider_access(spec, options);
  require_key(spec, {.base_url = access.base_url, .has_key = !access.key.is_empty()});
  const bool is_own = is_own_address(spec.provider, access.base_url);
  HttpModelOptions http{.name = name,
                        .model = spec.model,
                        .base_url = std::move(access.base_url),
                        .key = std::move(access.key),
                        .key_name = std::move(access.key_name)};
  std::unique_ptr<core::Model> model;
  switch (spec.provider) {
    case Provider::Anthropic:
      model = std::make_unique<Anthropic>(std::move(http));
      break;
    case Provider::OpenAi:
    case Provider::Compatible:
      model = std::make_unique<OpenAi>(std::move(http));
      break;
    default:
      throw Error(ErrorKind::Unsupported, "the model `" + name + "` is not reached over HTTP");
  }
  if (!is_own) return model;
  return std::make_unique<Priced>(std::move(model), std::string(to_string(spec.provider)));
}

}  // namespace hone::model
