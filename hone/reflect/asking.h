// Asking a model for an output, inside of this folder.
#pragma once

#include <optional>

#include "hone/core/effects.h"
#include "hone/core/roles.h"
#include "hone/prompt/prompts.h"

namespace hone::reflect {

struct OutputRequest {
  core::Role role = core::Role::Generate;
  prompt::Prompt prompt;
  core::Sampling sampling;
  int ask = 1;         // Which call of the role this is.
  bool drafts = true;  // The reply is the output: show it as it comes.
  std::optional<JsonText> schema = {};
};

// One call at the path `ask/<n>`; its reply is the output, byte for byte.
async<core::Output> ask_for_output(core::Context context, core::Model& model,
                                   OutputRequest request);

}  // namespace hone::reflect
