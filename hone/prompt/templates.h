// The prompt files as they were compiled in, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hone/base/json.h"
#include "hone/core/effects.h"

namespace hone::prompt {

class Values;

struct Text {
  std::string_view name;    // The file's stem: "judge".
  std::string_view source;  // Its text, with the fragments it includes in place.
};

// All prompts, in a fixed order. Their first line is a comment that lists their variables.
std::span<const Text> prompt_texts();
// The JSON Schemas of the replies that are asked for: "verdict", "reflection".
std::span<const Text> schema_texts();

// The schema with this name. Throws NotFound.
JsonText schema_named(std::string_view name);

// A prompt's text for these values, which must be its variables. Compiled with the first use, then
// kept. Threads: any. Throws NotFound for an unknown name.
std::string render(std::string_view name, const Values& values);
// The name and the hash of a prompt's text.
core::PromptIdentity identity_of(std::string_view name);

}  // namespace hone::prompt
