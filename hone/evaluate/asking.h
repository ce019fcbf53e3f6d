// One question to a model whose reply has to be read, inside of this folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hone/core/effects.h"
#include "hone/prompt/prompts.h"

namespace hone::evaluate {

struct Question {
  // `problem` says why the first reply could not be used; empty at first.
  std::function<prompt::Prompt(const std::string& problem)> prompt;
  // Takes what a reply says; gives the problem with it, as half a sentence, or nothing.
  std::function<std::optional<std::string>(const core::ModelReply& reply)> read;
  std::optional<JsonText> schema = {};
  std::vector<std::string> choices = {};
  core::Sampling sampling = {};
  std::string identity = {};  // What the hash of the prompt's identity covers beside its text.
  bool paid_before = false;   // An earlier question about this output has been paid for.
};

// Asks, and once more where the reply cannot be used (unreadable, refused, cut off). Absent when a
// reply was read; else why the output stays unjudged: a sentence. The model does not answer when it
// is Unavailable, Overloaded, or out of its own time; an exhausted budget counts as that once
// something has been paid for this output. Other failures are thrown. The calls stand under `ask/1`
// and `ask/2`. `question` outlives the call.
async<std::optional<std::string>> ask(core::Context context, core::Model& model,
                                      const Question& question);

// Temperature 0 and `most` tokens where nothing is said.
core::Sampling judging(core::Sampling sampling, Tokens most);
// The failure of an output without any text; no model is asked about one.
core::Evaluation empty_output(const std::string& check);

}  // namespace hone::evaluate
