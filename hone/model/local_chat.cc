#include "hone/model/local_chat.h"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace hone::model {
namespace {

constexpr const char* kSystem = "You are a helpful assistant.";

// Stands for the text of message `index` while the template is applied.
std::string placeholder(std::size_t index) { return "\x02" + std::to_string(index) + "\x03"; }

std::vector<EngineMessage> with_system(std::vector<EngineMessage> messages) {
  if (messages.empty() || messages.front().role != "system") {
    messages.insert(messages.begin(), EngineMessage{.role = "system", .text = kSystem});
  }
  return messages;
}

std::string framed_by(const std::string& chat_template,
                      const std::vector<EngineMessage>& messages) {
  std::vector<llama_chat_message> chat;
  chat.reserve(messages.size());
  for (const EngineMessage& message : messages) {
    chat.push_back({message.role.c_str(), message.text.c_str()});
  }
  std::string text(1024, '\0');
  while (true) {
    const int length = llama_chat_apply_template(chat_template.c_str(), chat.data(), chat.size(),
                                                 true, text.data(), static_cast<int>(text.size()));
    if (length < 0) throw std::runtime_error("the chat template cannot be applied");
    const auto needed = static_cast<std::size_t>(length);
    const bool fits = needed <= text.size();
    text.resize(needed);
    if (fits) return text;
  }
}

struct Text {
  std::string_view text;
  bool marks = false;  // Whether marks such as <|im_end|> are control tokens.
  bool first = false;  // Whether the model's own first token comes before it.
};

void append_tokens(const llama_vocab& vocab, const Text& what, std::vector<llama_token>& tokens) {
  const auto& [text, marks, first] = what;
  if (text.empty()) return;
  const std::size_t before = tokens.size();
  std::size_t room = text.size() + 2;
  while (true) {
    tokens.resize(before + room);
    const int count = llama_tokenize(&vocab, text.data(), static_cast<int>(text.size()),
                                     tokens.data() + before, static_cast<int>(room), first, marks);
    if (count >= 0) {
      tokens.resize(before + static_cast<std::size_t>(count));
      return;
    }
    room = static_cast<std::size_t>(-count);
  }
}

// The text of an entry of the file; empty where there is none.
std::string metadata(const llama_model& model, const std::string& key) {
  std::array<char, 256> text{};
  const int length = llama_model_meta_val_str(&model, key.c_str(), text.data(), text.size());
  return length < 0 ? std::string() : std::string(text.data());
}

}  // namespace

std::optional<std::string> find_chat_template(const llama_model& model) {
  const char* text = llama_model_chat_template(&model, nullptr);
  if (text == nullptr) return std::nullopt;
  const llama_chat_message probe{"user", "x"};
  if (llama_chat_apply_template(text, &probe, 1, true, nullptr, 0) < 0) return std::nullopt;
  return text;
}

std::vector<llama_token> chat_tokens(const llama_model& model, const std::string& chat_template,
                                     const std::vector<EngineMessage>& messages) {
  const std::vector<EngineMessage> whole = with_system(messages);
  std::vector<EngineMessage> frame = whole;
  for (std::size_t i = 0; i < frame.size(); ++i) frame[i].text = placeholder(i);
  const std::string framed = framed_by(chat_template, frame);

  const llama_vocab& vocab = *llama_model_get_vocab(&model);
  std::vector<llama_token> tokens;
  std::size_t at = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::size_t found = framed.find(frame[i].text, at);
    if (found == std::string::npos) throw std::runtime_error("the chat template drops a message");
    const auto frame_text = std::string_view(framed).substr(at, found - at);
    append_tokens(vocab, {frame_text, true, tokens.empty()}, tokens);
    append_tokens(vocab, {whole[i].text, false, tokens.empty()}, tokens);
    at = found + frame[i].text.size();
  }
  append_tokens(vocab, {std::string_view(framed).substr(at), true, false}, tokens);
  return tokens;
}

std::vector<llama_token> plain_tokens(const llama_vocab& vocab, std::string_view text) {
  std::vector<llama_token> tokens;
  append_tokens(vocab, {text, false, false}, tokens);
  return tokens;
}

bool is_embedding_model(const llama_model& model) {
  const std::string architecture = metadata(model, "general.architecture");
  const std::string pooling = metadata(model, architecture + ".pooling_type");
  return !llama_model_has_decoder(&model) || (!pooling.empty() && pooling != "0");
}

std::string token_text(const llama_vocab& vocab, llama_token token) {
  std::string text(64, '\0');
  int length =
      llama_token_to_piece(&vocab, token, text.data(), static_cast<int>(text.size()), 0, false);
  if (length < 0) {
    text.resize(static_cast<std::size_t>(-length));
    length =
        llama_token_to_piece(&vocab, token, text.data(), static_cast<int>(text.size()), 0, false);
  }
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace hone::model
