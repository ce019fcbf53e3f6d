// Makes models behind HTTP from their names, with the keys and addresses that the user set.
#pragma once

#include <memory>
#include <string>

#include "hone/core/effects.h"
#include "hone/model/spec.h"
#include "hone/net/secret.h"

namespace hone::model {

// What the user said about reaching a provider; all of it may be empty.
struct AccessOptions {
  std::string base_url;  // --base-url.
  std::string key_file;  // --api-key-file.
};

// How a provider is reached.
struct ProviderAccess {
  std::string base_url;  // Never empty.
  net::Secret key;
  std::string key_name;  // Where the key comes from or should, for messages.
};

// From the options, else from OPENAI_BASE_URL and OPENAI_API_KEY or ANTHROPIC_BASE_URL and
// ANTHROPIC_API_KEY, else the provider's own address. Other servers (http://host/v1#MODEL) get a
// key from the file only: a provider's key is not for them. Throws as net::read_key_file() does.
ProviderAccess provider_access(const ModelSpec& spec, const AccessOptions& options);

// What a call of that model costs at most. Empty where nobody knows: at addresses that are not the
// provider's own, and for other specs. Throws as provider_access().
core::Ledger::CostAtMost cost_at_most(const ModelSpec& spec, const AccessOptions& options);

// The model of an OpenAi, Anthropic or Compatible spec, called `name`. At the provider's own
// address its calls have prices. Throws InvalidInput when it needs a key and there is none, and
// Unsupported for other specs.
std::unique_ptr<core::Model> make_http_model(const ModelSpec& spec, const std::string& name,
                                             const AccessOptions& options);

}  // namespace hone::model
