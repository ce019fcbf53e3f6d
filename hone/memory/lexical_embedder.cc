#include "hone/memory/lexical_embedder.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "hone/memory/words.h"

namespace hone::memory {
namespace {

constexpr std::size_t kSize = 1024;  // Places of features.
// What counts beside the word itself: how it begins, and it with its neighbour.
constexpr float kPrefixWeight = 0.4F;
constexpr float kPairWeight = 0.3F;
constexpr std::size_t kPrefix = 4;

// FNV-1a with the finish of splitmix64.
std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t value = 14695981039346656037U ^ seed;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

void put(std::vector<float>& vector, std::string_view feature, std::uint64_t kind, float weight) {
  const std::uint64_t value = hash(feature, kind);
  vector[value % kSize] += (value >> 40) % 2 == 0 ? weight : -weight;
}

// Multiplies by a Hadamard matrix; the length of the vector grows by the square root of kSize.
void transform(std::vector<float>& vector) {
  for (std::size_t half = 1; half < kSize; half *= 2) {
    for (std::size_t start = 0; start < kSize; start += 2 * half) {
      for (std::size_t at = start; at < start + half; ++at) {
        const float left = vector[at];
        const float right = vector[at + half];
        vector[at] = left + right;
        vector[at + half] = left - right;
      }
    }
  }
}

// The signs are a part of the embedding: other signs would be another model.
void turn(std::vector<float>& vector) {
  for (int round = 1; round <= 2; ++round) {
    for (std::size_t at = 0; at < kSize; ++at) {
      if (hash({}, at * 2654435761U + static_cast<std::uint64_t>(round)) % 2 == 0)
        vector[at] = -vector[at];
    }
    transform(vector);
  }
}

void make_unit(std::vector<float>& vector) {
  double square = 0;
  for (const float part : vector) square += double{part} * part;
  if (square == 0) return;
  const auto factor = static_cast<float>(1 / std::sqrt(square));
  for (float& part : vector) part *= factor;
}

std::vector<float> embed_one(std::string_view text) {
  std::vector<float> vector(kSize);
  std::string_view before;
  const std::vector<std::string> words = words_of(text);
  for (const std::string& word : words) {
    const auto weight = static_cast<float>(weight_of(word));
    put(vector, word, 1, weight);
    if (word.size() > kPrefix) put(vector, word.substr(0, kPrefix), 2, weight * kPrefixWeight);
    if (!before.empty()) put(vector, std::string(before) + ' ' + word, 3, weight * kPairWeight);
    before = word;
  }
  // A word said often is still one word.
  for (float& part : vector) part = std::copysign(std::sqrt(std::abs(part)), part);
  turn(vector);
  vector.resize(LexicalEmbedder::kDimensions);
  make_unit(vector);
  return vector;
}

}  // namespace

std::vector<std::vector<float>> LexicalEmbedder::embed(std::span<const std::string> texts) {
  std::vector<std::vector<float>> vectors;
  vectors.reserve(texts.size());
  for (const std::string& text : texts) vectors.push_back(embed_one(text));
  return vectors;
}

}  // namespace hone::memory
