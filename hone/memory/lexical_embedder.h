// Vectors from the words of a text, without a model.
#pragma once

#include "hone/core/embedder.h"

namespace hone::memory {

// Words, pairs of neighbouring words and the beginnings of words are hashed to places of a sparse
// vector, of which a randomised Hadamard transform keeps a part (Ailon and Chazelle, "The fast
// Johnson-Lindenstrauss transform", 2009), so that every component carries something of each word
// and the signs alone keep most of the angle (Charikar, "Similarity estimation techniques from
// rounding algorithms", 2002). The cosine of two texts is close to the share of words that they
// have in common, rare words counting most. Deterministic on all machines. Threads: any number of
// calls at once.
class LexicalEmbedder final : public core::Embedder {
 public:
  static constexpr std::size_t kDimensions = 256;

  std::string name() const override { return "lexical-256-1"; }
  std::size_t dimensions() const override { return kDimensions; }
  std::vector<std::vector<float>> embed(std::span<const std::string> texts) override;
  // Fitted to tests/lessons/pairs.jsonl; see docs/explain/lessons.md.
  core::RelevanceLine relevance_line() const override {
    return {.words = 10.5, .cosine = 14, .line = 5.74, .alone = 2.1};
  }
  std::size_t at_once() const override { return 20'000; }
};

}  // namespace hone::memory
