#include "hone/model/local_vectors.h"

#include <llama.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hone::model {
namespace {

llama_context* new_context(llama_model& model, const EngineModel& asked, int longest) {
  llama_context_params parameters = llama_context_default_params();
  // An encoder reads a text at once.
  parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = static_cast<std::uint32_t>(longest);
  parameters.n_threads = parameters.n_threads_batch = asked.threads;
  parameters.embeddings = true;
  return llama_init_from_model(&model, parameters);
}

void make_unit(std::vector<float>& vector) {
  double square = 0;
  for (const float part : vector) square += double{part} * part;
  if (square == 0) return;
  const auto factor = static_cast<float>(1 / std::sqrt(square));
  for (float& part : vector) part *= factor;
}

struct Batch {
  explicit Batch(const std::vector<llama_token>& tokens)
      : batch(llama_batch_init(static_cast<int>(tokens.size()), 0, 1)) {
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      batch.token[at] = tokens[at];
      batch.pos[at] = static_cast<llama_pos>(at);
      batch.n_seq_id[at] = 1;
      batch.seq_id[at][0] = 0;
      batch.logits[at] = 1;
    }
    batch.n_tokens = static_cast<int>(tokens.size());
  }
  ~Batch() { llama_batch_free(batch); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  llama_batch batch;
};

// The tokens of a text with their marks; what is too long loses its end.
std::vector<llama_token> tokens_of(const llama_model& model, const std::string& text, int most) {
  const llama_vocab& vocab = *llama_model_get_vocab(&model);
  std::vector<llama_token> tokens(text.size() + 2);
  const int count = llama_tokenize(&vocab, text.data(), static_cast<int>(text.size()),
                                   tokens.data(), static_cast<int>(tokens.size()), true, false);
  if (count < 0) throw std::runtime_error("the text cannot be taken apart");
  tokens.resize(static_cast<std::size_t>(count));
  const auto longest = static_cast<std::size_t>(most);
  if (tokens.size() > longest) {
    tokens[longest - 1] = tokens.back();
    tokens.resize(longest);
  }
  return tokens;
}

}  // namespace

void TextVectors::Free::operator()(llama_context* context) const { llama_free(context); }

TextVectors::TextVectors(llama_model& model, const EngineModel& asked)
    : model_(model), longest_(std::min(asked.context, llama_model_n_ctx_train(&model))) {
  context_.reset(new_context(model, asked, longest_));
  if (!context_) throw std::runtime_error("no memory for the encoder's work space");
}

std::vector<float> TextVectors::of(const std::string& text) {
  const std::vector<llama_token> tokens = tokens_of(model_, text, longest_);
  if (llama_memory_t memory = llama_get_memory(context_.get())) llama_memory_clear(memory, true);
  const Batch batch(tokens);
  if (llama_encode(context_.get(), batch.batch) != 0)
    throw std::runtime_error("the encoder failed");
  const float* values = llama_get_embeddings_seq(context_.get(), 0);
  if (values == nullptr) throw std::runtime_error("the model gives no vector for a text");
  std::vector<float> vector(values, values + llama_model_n_embd(&model_));
  make_unit(vector);
  return vector;
}

}  // namespace hone::model
