#include "hone/model/local_constraint.h"

#include <llama.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "hone/model/local_chat.h"
#include "rust/hone_rust.h"

namespace hone::model {
namespace {

hone_bytes bytes_of(const std::string& text) { return {.data = text.data(), .size = text.size()}; }

std::string take_text(const hone_reply& reply) {
  std::string text(reply.text.data, reply.text.size);
  hone_string_free(reply.text);
  return text;
}

int status_of(const hone_reply& reply) {
  std::string text = take_text(reply);
  if (reply.status == HONE_OK || reply.status == HONE_LIMIT) return reply.status;
  throw std::runtime_error(std::move(text));
}

}  // namespace

void Vocabulary::Free::operator()(hone_vocabulary* vocabulary) const {
  hone_vocabulary_free(vocabulary);
}

Vocabulary::Vocabulary(const llama_vocab& vocab) : size_(llama_vocab_n_tokens(&vocab)) {
  std::vector<std::string> texts;
  std::vector<hone_bytes> tokens;
  std::vector<std::uint32_t> ends;
  for (llama_token token = 0; token < size_; ++token) {
    const bool ends_answer = llama_vocab_is_eog(&vocab, token);
    if (ends_answer) ends.push_back(static_cast<std::uint32_t>(token));
    texts.push_back(ends_answer ? std::string() : token_text(vocab, token));
  }
  for (const std::string& text : texts) tokens.push_back(bytes_of(text));
  hone_reply reply{};
  vocabulary_.reset(
      hone_vocabulary_new(tokens.data(), tokens.size(), ends.data(), ends.size(), &reply));
  std::string reason = take_text(reply);
  if (!vocabulary_) throw std::runtime_error(std::move(reason));
}

void Constraint::Free::operator()(hone_constraint* constraint) const {
  hone_constraint_free(constraint);
}

Constraint::Constraint(const Vocabulary& vocabulary, const std::string& schema)
    : words_((static_cast<std::size_t>(vocabulary.size()) + 31) / 32) {
  const auto compile = [&](std::uint32_t flags) {
    hone_reply reply{};
    constraint_.reset(
        hone_constraint_new(vocabulary.vocabulary_.get(), bytes_of(schema), flags, &reply));
    return take_text(reply);
  };
  const std::string refusal = compile(0);
  if (constraint_) return;
  note_ = "the schema is enforced in part only: " + refusal;
  std::string reason = compile(HONE_LENIENT);
  if (!constraint_) throw std::runtime_error(std::move(reason));
}

bool Constraint::take(llama_token token) {
  const hone_reply reply =
      hone_constraint_take(constraint_.get(), static_cast<std::uint32_t>(token));
  return status_of(reply) == HONE_OK;
}

const std::vector<llama_token>& Constraint::allowed() {
  status_of(hone_constraint_mask(constraint_.get(), words_.data(), words_.size()));
  allowed_.clear();
  for (std::size_t word = 0; word < words_.size(); ++word) {
    for (std::uint32_t bits = words_[word]; bits != 0; bits &= bits - 1) {
      allowed_.push_back(static_cast<llama_token>(word * 32) + std::countr_zero(bits));
    }
  }
  return allowed_;
}

bool Constraint::is_done() const { return hone_constraint_is_done(constraint_.get()) != 0; }

}  // namespace hone::model
