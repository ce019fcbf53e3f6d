#include "hone/model/local_sample.h"

#include <llama.h>

#include <chrono>
#include <stdexcept>

namespace hone::model {
namespace {

constexpr int kTopK = 40;

}  // namespace

Sampler::Sampler(const EngineRequest& request, Constraint* constraint)
    : chain_(llama_sampler_chain_init(llama_sampler_chain_default_params())),
      constraint_(constraint) {
  llama_sampler* chain = chain_.get();
  if (request.temperature <= 0) {
    llama_sampler_chain_add(chain, llama_sampler_init_greedy());
    return;
  }
  llama_sampler_chain_add(chain, llama_sampler_init_top_k(kTopK));
  llama_sampler_chain_add(chain, llama_sampler_init_top_p(static_cast<float>(request.top_p), 1));
  llama_sampler_chain_add(chain, llama_sampler_init_temp(static_cast<float>(request.temperature)));
  llama_sampler_chain_add(chain, llama_sampler_init_dist(request.seed));
}

Sampler::~Sampler() = default;

void Sampler::Free::operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }

// Most tokens that the model likes fit, so the whole mask is made only when one does not.
llama_token Sampler::pick(std::span<const float> logits) {
  candidates_.clear();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    candidates_.push_back({static_cast<llama_token>(i), logits[i], 0});
  }
  llama_token token = choose();
  if (constraint_ == nullptr || takes(token)) return token;
  keep_allowed(logits);
  token = choose();
  if (!takes(token)) throw std::runtime_error("the schema refuses what it allows");
  return token;
}

llama_token Sampler::choose() {
  if (candidates_.empty()) throw std::runtime_error("the schema allows no token here");
  llama_token_data_array all{candidates_.data(), candidates_.size(), -1, false};
  llama_sampler_apply(chain_.get(), &all);
  const llama_token token = all.data[all.selected].id;
  llama_sampler_accept(chain_.get(), token);
  return token;
}

bool Sampler::takes(llama_token token) {
  const auto started = std::chrono::steady_clock::now();
  const bool taken = constraint_->take(token);
  constraint_seconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return taken;
}

void Sampler::keep_allowed(std::span<const float> logits) {
  const auto started = std::chrono::steady_clock::now();
  candidates_.clear();
  for (const llama_token token : constraint_->allowed()) {
    candidates_.push_back({token, logits[static_cast<std::size_t>(token)], 0});
  }
  constraint_seconds_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

}  // namespace hone::model
