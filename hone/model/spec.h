// Which model a user means: "local", "openai:gpt-4.1", "http://host/v1#qwen", "command:./ask".
#pragma once

#include <string>
#include <string_view>

namespace hone::model {

enum class Provider {
  Local,       // The embedded engine.
  OpenAi,      // The OpenAI API.
  Anthropic,   // The Anthropic API.
  Compatible,  // Any server that speaks the OpenAI API.
  Command,     // A process: prompt on stdin, reply on stdout.
  Scripted     // A file of replies.
};
// "local", "openai", "anthropic", "http", "command", "scripted".
std::string_view to_string(Provider provider);

// A model as the user named it, taken apart. Fields that a provider does not use are empty.
struct ModelSpec {
  Provider provider = Provider::Local;
  std::string model;    // At providers; Local: a name of the catalogue, empty for the default.
  std::string url;      // Compatible: the base URL, such as http://localhost:8000/v1.
  std::string file;     // Scripted; Local: a GGUF file.
  std::string command;  // Command: for /bin/sh -c.

  bool operator==(const ModelSpec&) const = default;
};

// Throws InvalidInput for an unknown provider (naming the nearest one) and for what is missing.
ModelSpec parse_spec(std::string_view text);
// The reverse: what parse_spec would read as the same model.
std::string to_string(const ModelSpec& spec);

inline constexpr std::string_view kOpenAiUrl = "https://api.openai.com/v1";

inline constexpr std::string_view kAnthropicUrl = "https://api.anthropic.com";

// How a provider is reached. `base_url` is what the user set, empty for the provider's own.
struct HttpAccess {
  std::string base_url;
  bool has_key = false;
};

// Whether calls go to the provider itself: empty means its own address.
bool is_own_address(Provider provider, std::string_view base_url);

// Throws InvalidInput when `spec` goes to the provider's own address, which asks for a key, and
// there is none. Servers at other addresses may do without.
void require_key(const ModelSpec& spec, const HttpAccess& access);

}  // namespace hone::model
