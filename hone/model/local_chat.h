// Part of the engine plugin: a conversation as the tokens a chat model expects.
#pragma once

#include <llama.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/model/local_engine.h"

namespace hone::model {

// The model's own chat template, if it has one that the engine can apply.
std::optional<std::string> find_chat_template(const llama_model& model);

// The tokens of the conversation, up to where the assistant's answer begins. Marks such as
// <|im_end|> inside a message are plain text: a message cannot end itself. A conversation that does
// not begin with a system message gets a short one, because some templates insert their own.
std::vector<llama_token> chat_tokens(const llama_model& model, const std::string& chat_template,
                                     const std::vector<EngineMessage>& messages);

// The tokens of a plain text inside a conversation; marks in it are text.
std::vector<llama_token> plain_tokens(const llama_vocab& vocab, std::string_view text);

// Whether the model only turns texts into vectors.
bool is_embedding_model(const llama_model& model);

// The bytes of one token; none for the model's control tokens.
std::string token_text(const llama_vocab& vocab, llama_token token);

}  // namespace hone::model
