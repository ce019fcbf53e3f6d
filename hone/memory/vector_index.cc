#include "hone/memory/vector_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <new>
#include <tuple>
#include <utility>

#include "hone/base/error.h"
#include "hone/memory/vector_scan.h"

namespace hone::memory {
namespace {

constexpr float kLargest = 2047;  // Of twelve bits with a sign.
// What the first look keeps: some, and one of so many.
constexpr std::size_t kLeastFirst = 600;
constexpr std::size_t kShareFirst = 800;
constexpr std::size_t kLeastCandidates = 400;
constexpr std::size_t kGroup = 64;  // Rows that are passed over together when all are far.

// A loop that compilers make vectors of.
std::int16_t least_of(std::span<const std::int16_t> distances) {
  std::int16_t least = distances.front();
  for (const std::int16_t distance : distances) least = distance < least ? distance : least;
  return least;
}

std::vector<std::uint64_t> signs_of(std::span<const float> vector) {
  std::vector<std::uint64_t> signs(vector.size() / 64);
  for (std::size_t at = 0; at < vector.size(); ++at) {
    if (vector[at] >= 0) signs[at / 64] |= std::uint64_t{1} << (at % 64);
  }
  return signs;
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <class T>
using Zeroed = std::unique_ptr<T[], Free>;

// All zero, and taken from the system when it is first written to: a small store stays small.
template <class T>
Zeroed<T> zeroed(std::size_t count) {
  void* memory = std::calloc(std::max<std::size_t>(count, 1), sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return Zeroed<T>(static_cast<T*>(memory));
}

}  // namespace

void PlaceSet::insert(Place place) {
  if (place / 64 >= words_.size()) words_.resize(place / 64 + 1);
  words_[place / 64] |= std::uint64_t{1} << (place % 64);
}

void PlaceSet::remove(Place place) {
  if (place / 64 < words_.size()) words_[place / 64] &= ~(std::uint64_t{1} << (place % 64));
}

PlaceSet PlaceSet::common(const PlaceSet& other) const {
  PlaceSet both;
  both.words_.resize(std::min(words_.size(), other.words_.size()));
  for (std::size_t at = 0; at < both.words_.size(); ++at)
    both.words_[at] = words_[at] & other.words_[at];
  return both;
}

struct VectorIndex::Distant {
  int distance = 0;
  Place place = 0;
};

// Keeps the places of the least distances seen: `count` of them, and those that tie.
class VectorIndex::Nearest {
 public:
  Nearest(std::size_t count, std::size_t bits)
      : count_(count), limit_(static_cast<int>(bits)), seen_(bits + 1) {}

  int limit() const { return limit_; }

  void add(int distance, Place place) {
    kept_.push_back({distance, place});
    ++seen_[static_cast<std::size_t>(distance)];
    if (kept_.size() >= 4 * count_) tighten();
  }

  std::vector<Distant> take() {
    tighten();
    return std::move(kept_);
  }

 private:
  void tighten() {
    std::size_t sum = 0;
    int limit = 0;
    while (limit < limit_ && (sum += seen_[static_cast<std::size_t>(limit)]) < count_) ++limit;
    if (limit >= limit_) return;
    limit_ = limit;
    std::erase_if(kept_, [limit](const Distant& one) { return one.distance > limit; });
    std::fill(seen_.begin() + limit + 1, seen_.end(), 0);
  }

  std::size_t count_;
  int limit_;  // What is farther is out.
  std::vector<std::size_t> seen_;
  std::vector<Distant> kept_;
};

struct VectorIndex::Block {
  Block(std::size_t dimensions, std::size_t first_words, std::size_t rest_words)
      : signs(zeroed<std::uint64_t>(kScanRows * first_words)),
        rest(zeroed<std::uint64_t>(kScanRows * rest_words)),
        high(zeroed<std::int8_t>(kScanRows * dimensions)),
        low(zeroed<std::uint8_t>(kScanRows * dimensions / 2)),
        scales(zeroed<float>(kScanRows)) {}

  Zeroed<std::uint64_t> signs;  // Of the first look, by columns; see vector_scan.h.
  Zeroed<std::uint64_t> rest;   // The others, by rows.
  Zeroed<std::int8_t> high;     // Upper eight bits of each component.
  Zeroed<std::uint8_t> low;     // Lower four bits, two components a byte.
  Zeroed<float> scales;
};

VectorIndex::VectorIndex(std::size_t dimensions)
    : dimensions_(dimensions),
      first_words_((dimensions / 64 + 1) / 2),
      rest_words_(dimensions / 64 - first_words_) {
  HONE_CHECK(dimensions > 0 && dimensions % 64 == 0);
}

VectorIndex::~VectorIndex() = default;

VectorIndex::Block& VectorIndex::block_of(Place place) {
  const std::size_t number = place / kScanRows;
  if (number >= blocks_.size()) blocks_.resize(number + 1);
  auto& block = blocks_[number];
  if (!block) block = std::make_unique<Block>(dimensions_, first_words_, rest_words_);
  return *block;
}

void VectorIndex::set(Place place, std::span<const float> vector) {
  HONE_CHECK(vector.size() == dimensions_);
  Block& block = block_of(place);
  const std::size_t row = place % kScanRows;
  present_.insert(place);
  const auto signs = signs_of(vector);
  for (std::size_t word = 0; word < first_words_; ++word)
    block.signs[word * kScanRows + row] = signs[word];
  for (std::size_t word = 0; word < rest_words_; ++word)
    block.rest[row * rest_words_ + word] = signs[first_words_ + word];
  float largest = 0;
  for (const float part : vector) largest = std::max(largest, std::abs(part));
  block.scales[row] = largest / kLargest;
  const float factor = largest == 0 ? 0 : kLargest / largest;
  const std::size_t half = dimensions_ / 2;
  std::uint8_t* low = &block.low[row * half];
  for (std::size_t at = 0; at < dimensions_; ++at) {
    const int value = static_cast<int>(std::lround(vector[at] * factor));
    block.high[row * dimensions_ + at] = static_cast<std::int8_t>(value >> 4);
    // The first half of the components has the lower nibbles, so that a scan reads in order.
    std::uint8_t& byte = low[at % half];
    const auto nibble = static_cast<std::uint8_t>(value & 15);
    byte = at < half ? static_cast<std::uint8_t>((byte & 0xF0) | nibble)
                     : static_cast<std::uint8_t>((byte & 0x0F) | (nibble << 4));
  }
}

void VectorIndex::remove(Place place) { present_.remove(place); }

std::vector<VectorIndex::Distant> VectorIndex::by_half(std::span<const std::uint64_t> signs,
                                                       std::size_t count,
                                                       const PlaceSet* among) const {
  Nearest nearest(count, first_words_ * 64);
  std::array<std::int16_t, kScanRows> distances;
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    if (!blocks_[number]) continue;
    hamming_distances(blocks_[number]->signs.get(), signs.first(first_words_), distances);
    for (std::size_t start = 0; start < kScanRows; start += kGroup) {
      const std::span<const std::int16_t> group = std::span(distances).subspan(start, kGroup);
      if (least_of(group) > nearest.limit()) continue;
      const auto first = static_cast<Place>(number * kScanRows + start);
      for (std::size_t at = 0; at < kGroup; ++at) {
        const Place place = first + static_cast<Place>(at);
        const bool in = group[at] <= nearest.limit() && present_.contains(place) &&
                        (among == nullptr || among->contains(place));
        if (in) nearest.add(group[at], place);
      }
    }
  }
  return nearest.take();
}

std::vector<Place> VectorIndex::by_signs(std::span<const std::uint64_t> signs, std::size_t count,
                                         const PlaceSet* among) const {
  const std::size_t first = kLeastFirst + blocks_.size() * kScanRows / kShareFirst;
  std::vector<Distant> found = by_half(signs, std::max(first, 4 * count), among);
  for (Distant& one : found) {
    const std::uint64_t* rest =
        &blocks_[one.place / kScanRows]->rest[(one.place % kScanRows) * rest_words_];
    for (std::size_t word = 0; word < rest_words_; ++word)
      one.distance += std::popcount(rest[word] ^ signs[first_words_ + word]);
  }
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  std::ranges::nth_element(found, found.begin() + kept, {},
                           [](const Distant& one) { return std::pair(one.distance, one.place); });
  std::vector<Place> places;
  for (const Distant& one : std::span(found).first(static_cast<std::size_t>(kept)))
    places.push_back(one.place);
  return places;
}

float VectorIndex::cosine(std::span<const float> query, Place place) const {
  const Block& block = *blocks_[place / kScanRows];
  const std::size_t row = place % kScanRows;
  return dot_of_twelve_bits(query, &block.high[row * dimensions_],
                            &block.low[row * dimensions_ / 2]) *
         block.scales[row];
}

std::vector<float> VectorIndex::get(Place place) const {
  const Block& block = *blocks_[place / kScanRows];
  const std::size_t row = place % kScanRows;
  std::vector<float> vector(dimensions_);
  const std::size_t half = dimensions_ / 2;
  for (std::size_t at = 0; at < dimensions_; ++at) {
    const int byte = block.low[row * half + at % half];
    const int nibble = at < half ? byte & 15 : byte >> 4;
    vector[at] =
        static_cast<float>(block.high[row * dimensions_ + at] * 16 + nibble) * block.scales[row];
  }
  return vector;
}

std::vector<Near> VectorIndex::nearest(std::span<const float> query, std::size_t count,
                                       const PlaceSet* among) const {
  HONE_CHECK(query.size() == dimensions_);
  const std::size_t wanted = std::max(kLeastCandidates, 8 * count);
  std::vector<Near> found;
  for (const Place place : by_signs(signs_of(query), wanted, among)) {
    found.push_back({place, cosine(query, place)});
  }
  const auto best = [](const Near& near) { return std::pair(-near.cosine, near.place); };
  const std::size_t kept = std::min(count, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(kept), {}, best);
  found.resize(kept);
  return found;
}

}  // namespace hone::memory
