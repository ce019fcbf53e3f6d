// The nearest vectors, by a scan of all of them in three widths.
//
// The signs of half the components are compared first (Hamming distance), those of all of them for
// the best few thousand, then the best few hundred by their components in twelve bits. What a scan
// costs is reading the memory, so the first look reads as little of it as it can. A scan needs no
// building, forgets at once what is removed, and is exact enough: bench/lessons_bench says how
// exact and how fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hone::memory {

// Places in an index, from 0; a caller that removes one may use it again.
using Place = std::uint32_t;

struct Near {
  Place place = 0;
  float cosine = 0;

  bool operator==(const Near&) const = default;
};

// One bit for each place. Places beyond its end are out.
class PlaceSet {
 public:
  void insert(Place place);
  void remove(Place place);
  bool contains(Place place) const {
    return place / 64 < words_.size() && (words_[place / 64] >> (place % 64) & 1) != 0;
  }
  PlaceSet common(const PlaceSet& other) const;

 private:
  std::vector<std::uint64_t> words_;
};

// Threads: reading calls at once, or one that changes. 1.63 bytes a component.
class VectorIndex {
 public:
  // `dimensions` is a multiple of 64.
  explicit VectorIndex(std::size_t dimensions);
  ~VectorIndex();

  // Of length 1. Takes the place of what was there.
  void set(Place place, std::span<const float> vector);
  void remove(Place place);
  bool has(Place place) const { return present_.contains(place); }

  // The nearest `count` of those that are in `among` (null: of all), the nearest first, ties to
  // the lower place. `query` has length 1.
  std::vector<Near> nearest(std::span<const float> query, std::size_t count,
                            const PlaceSet* among = nullptr) const;
  // The cosine with one vector that is there.
  float cosine(std::span<const float> query, Place place) const;
  // The vector as it is kept.
  std::vector<float> get(Place place) const;

 private:
  struct Block;
  struct Distant;
  class Nearest;

  std::vector<Distant> by_half(std::span<const std::uint64_t> signs, std::size_t count,
                               const PlaceSet* among) const;
  std::vector<Place> by_signs(std::span<const std::uint64_t> signs, std::size_t count,
                              const PlaceSet* among) const;
  Block& block_of(Place place);

  std::size_t dimensions_;
  std::size_t first_words_;  // Of the signs, in the first look; the others are the rest.
  std::size_t rest_words_;
  std::vector<std::unique_ptr<Block>> blocks_;  // Nothing moves when the index grows.
  PlaceSet present_;
};

}  // namespace hone::memory
