// Part of the engine plugin: texts as vectors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hone/model/local_engine.h"

struct llama_context;
struct llama_model;

namespace hone::model {

// The encoder's work space. Threads: one. Lifetime: the model outlives it.
class TextVectors {
 public:
  // Throws std::runtime_error when there is no memory for it.
  TextVectors(llama_model& model, const EngineModel& asked);

  // Texts longer than EngineModel::context tokens are cut. Throws std::runtime_error.
  std::vector<float> of(const std::string& text);
  int context() const { return longest_; }

 private:
  struct Free {
    void operator()(llama_context* context) const;
  };

  llama_model& model_;
  int longest_ = 0;
  std::unique_ptr<llama_context, Free> context_;
};

}  // namespace hone::model
