// Which lessons have which words: search by BM25 (Robertson and Zaragoza, "The probabilistic
// relevance framework: BM25 and beyond", 2009) with k1 = 1.5 and b = 0.75.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/memory/vector_index.h"

namespace hone::memory {

struct Found {
  Place place = 0;
  float score = 0;  // Greater is better; no scale.
};

// A word as the index knows it.
using WordKey = std::uint32_t;
WordKey key_of(std::string_view word);

// Threads: one at a time. About five bytes a word.
class WordIndex {
 public:
  // `words` as words_of() gives them. The place is free, and not used again: who takes a text out
  // leaves its place out of the sets that are searched.
  void add(Place place, std::span<const std::string> words);
  // The best `count` of those in `among` (null: all), the best first, ties to the lower place.
  // The rarest words count first; where the index is so large that all of them would be slow, the
  // most common ones do not count.
  std::vector<Found> search(std::span<const std::string> words, std::size_t count,
                            const PlaceSet* among = nullptr);

  // How much a word tells among these texts and in general: log((N + c + 1) / (n + 1)) where n of N
  // texts have it and c stands for texts that have not been seen, times weight_of(word).
  double weight(std::string_view word) const;
  // The same of a word of some text that was added, without what it tells in general.
  double rarity(WordKey word) const;
  std::size_t size() const { return size_; }

 private:
  using Postings = std::vector<std::uint32_t>;  // Place * 8 + count - 1.

  const Postings* find(std::string_view word) const;
  // What the word of these postings adds to the scores of texts in `among`; `touched` are those
  // that have one.
  void add_scores(const Postings& postings, const PlaceSet* among, std::vector<Place>& touched);

  std::unordered_map<WordKey, Postings> postings_;
  std::vector<std::uint16_t> lengths_;  // In words, by place.
  std::size_t size_ = 0;
  std::uint64_t total_ = 0;    // Words of all texts.
  std::vector<float> scores_;  // All zero between searches.
};

}  // namespace hone::memory
