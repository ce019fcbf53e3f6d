// Which model a user means: "local", "openai:gpt-4.1", "http://host/v1#qwen", "command:./ask".
#pragma once

#include <string>
#include <string_view>

namespace hone::model {

enum class Provider {
  Local,       // The embedded engine.
  OpenAi,      // The OpenAI API.
  Compatible,  // Any server that speaks the OpenAI API.
  Command,     // A process: prompt on stdin, reply on stdout.
  Scripted     // A file of replies.
};
std::string_view to_string(Provider provider);  // "local", "openai", "http", "command", "scripted".

// A model as the user named it, taken apart. Fields that a provider does not use are empty.
struct ModelSpec {
  Provider provider = Provider::Local;
  std::string model;  // OpenAi, Compatible; Local: a name of the catalogue, empty for the default.
  std::string url;    // Compatible: the base URL, such as http://localhost:8000/v1.
  std::string file;   // Scripted; Local: a GGUF file.
  std::string command;  // Command: for /bin/sh -c.

  bool operator==(const ModelSpec&) const = default;
};

// Throws InvalidInput for an unknown provider (naming the nearest one) and for what is missing.
ModelSpec parse_spec(std::string_view text);
// The reverse: what parse_spec would read as the same model.
std::string to_string(const ModelSpec& spec);

inline constexpr std::string_view kOpenAiUrl = "https://api.openai.com/v1";

// How the OpenAI API is reached. `base_url` is what the user set, empty for the provider's own.
struct OpenAiAccess {
  std::string base_url;
  bool has_key = false;
};

// Throws InvalidInput when `spec` goes to the provider's own address, which asks for a key, and
// there is none. Servers at other addresses may do without.
void require_key(const ModelSpec& spec, const OpenAiAccess& access);

}  // namespace hone::model
