// Part of the engine plugin: choosing the next token, and how likely short answers are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hone/model/local_constraint.h"
#include "hone/model/local_engine.h"
#include "hone/model/local_kept.h"

struct llama_sampler;
struct llama_token_data;

namespace hone::model {

// Chooses tokens for one answer. Threads: one.
class Sampler {
 public:
  // `constraint` may be null; it outlives the sampler.
  Sampler(const EngineRequest& request, Constraint* constraint);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // One token out of the model's `logits`, all of the vocabulary. Under a constraint the token is
  // taken by it. Throws std::runtime_error when the constraint reaches its limits.
  std::int32_t pick(std::span<const float> logits);
  // Seconds spent in the constraint.
  double constraint_seconds() const { return constraint_seconds_; }

 private:
  struct Free {
    void operator()(llama_sampler* sampler) const;
  };
  std::int32_t choose();
  bool takes(std::int32_t token);
  void keep_allowed(std::span<const float> logits);

  std::unique_ptr<llama_sampler, Free> chain_;
  Constraint* constraint_;
  std::vector<llama_token_data> candidates_;
  double constraint_seconds_ = 0;
};

// How likely the answer begins with each choice, in any common case of its letters and with or
// without a leading blank, relative to the other choices: they sum to 1. Choices that begin with
// the same token are told apart by reading it in a branch of `kept`. Empty when none is likely at
// all, or when reading fails. `logits` are those of the answer's first token; they are invalid
// afterwards if they belong to the context.
std::vector<double> choice_probabilities(const std::vector<std::string>& choices,
                                         std::span<const float> logits, llama_context& context,
                                         KeptSequences& kept);

}  // namespace hone::model
