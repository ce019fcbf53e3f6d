// Texts as vectors, so that texts about the same lie close together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hone::core {

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
  // The cosine from which two texts are likely to be about the same.
  virtual double relevant_cosine() const = 0;
};

}  // namespace hone::core
