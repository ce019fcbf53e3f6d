#include "hone/memory/word_index.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hone/memory/words.h"

namespace hone::memory {
namespace {

constexpr float kK1 = 1.5F;
constexpr float kB = 0.75F;
constexpr std::uint32_t kMostCounted = 8;      // Of one word in a text.
constexpr std::size_t kMostPostings = 20'000;  // That one search reads.
constexpr double kUnseen = 20;  // Texts that stand for those that have not been seen.

std::map<WordKey, std::uint32_t> counted(std::span<const std::string> words) {
  std::map<WordKey, std::uint32_t> counts;
  for (const std::string& word : words) {
    std::uint32_t& count = counts[key_of(word)];
    count = std::min(count + 1, kMostCounted);
  }
  return counts;
}

}  // namespace

WordKey key_of(std::string_view word) {
  std::uint64_t value = 14695981039346656037U;
  for (const char c : word) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return static_cast<WordKey>(value ^ (value >> 32));
}

void WordIndex::add(Place place, std::span<const std::string> words) {
  for (const auto& [key, count] : counted(words)) {
    auto& list = postings_[key];
    const std::uint32_t posting = place * kMostCounted + count - 1;
    // Places mostly grow.
    list.insert(std::ranges::upper_bound(list, posting), posting);
  }
  if (place >= lengths_.size()) lengths_.resize(place + 1);
  lengths_[place] = static_cast<std::uint16_t>(std::min<std::size_t>(words.size(), 65535));
  total_ += lengths_[place];
  ++size_;
}

const WordIndex::Postings* WordIndex::find(std::string_view word) const {
  const auto found = postings_.find(key_of(word));
  return found == postings_.end() ? nullptr : &found->second;
}

double WordIndex::rarity(WordKey word) const {
  const auto found = postings_.find(word);
  const double with = found == postings_.end() ? 0 : static_cast<double>(found->second.size());
  return std::log((static_cast<double>(size_) + kUnseen + 1) / (with + 1));
}

double WordIndex::weight(std::string_view word) const {
  return weight_of(word) * rarity(key_of(word));
}

void WordIndex::add_scores(const Postings& postings, const PlaceSet* among,
                           std::vector<Place>& touched) {
  const auto with = static_cast<float>(postings.size());
  const float rarity = std::log(1 + (static_cast<float>(size_) - with + 0.5F) / (with + 0.5F));
  const float mean = static_cast<float>(total_) / static_cast<float>(size_);
  for (const std::uint32_t posting : postings) {
    const Place place = posting / kMostCounted;
    if (among != nullptr && !among->contains(place)) continue;
    const auto count = static_cast<float>(posting % kMostCounted + 1);
    const float length = static_cast<float>(lengths_[place]) / mean;
    if (scores_[place] == 0) touched.push_back(place);
    scores_[place] += rarity * count * (kK1 + 1) / (count + kK1 * (1 - kB + kB * length));
  }
}

std::vector<Found> WordIndex::search(std::span<const std::string> words, std::size_t count,
                                     const PlaceSet* among) {
  std::vector<const Postings*> lists;
  for (const std::string& word : words) {
    const Postings* list = find(word);
    if (list != nullptr && std::ranges::find(lists, list) == lists.end()) lists.push_back(list);
  }
  std::ranges::sort(lists, {}, [](const Postings* list) { return list->size(); });
  scores_.resize(lengths_.size());
  std::vector<Place> touched;
  std::size_t read = 0;
  for (const Postings* list : lists) {
    read += list->size();
    if (read > kMostPostings && !touched.empty()) break;
    add_scores(*list, among, touched);
  }
  std::vector<Found> found;
  found.reserve(touched.size());
  for (const Place place : touched) found.push_back({place, std::exchange(scores_[place], 0)});
  const std::size_t kept = std::min(count, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(kept), {},
                            [](const Found& one) { return std::pair(-one.score, one.place); });
  found.resize(kept);
  return found;
}

}  // namespace hone::memory
