// Texts as vectors, so that texts about the same lie close together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hone::core {

// How much the words that two texts share (the cosine of their weighted words) and the cosine of
// their vectors say of whether one is about the other: likely is
// 1 / (1 + exp(line - words * shared - cosine * cosine of the vectors)). Fewer than two words that
// tell something may be a coincidence: then the line is higher by `alone`.
struct RelevanceLine {
  double words = 0;
  double cosine = 0;
  double line = 0;
  double alone = 0;
};

// Blocking: called on worker threads. Threads: any, one call at a time for each object unless an
// implementation says more.
class Embedder {
 public:
  virtual ~Embedder() = default;
  // Stored with each vector; vectors of different names are not compared.
  virtual std::string name() const = 0;
  virtual std::size_t dimensions() const = 0;
  // One vector of length 1 for each text, or the zero vector for a text that says nothing. Equal
  // texts have equal vectors. Throws as Model::complete.
  virtual std::vector<std::vector<float>> embed(std::span<const std::string> texts) = 0;
  // Its own, because the cosines of one embedder mean other things than those of another.
  virtual RelevanceLine relevance_line() const = 0;
  // How many texts may be embedded while somebody waits: what it does in about a second.
  virtual std::size_t at_once() const = 0;
};

}  // namespace hone::core
