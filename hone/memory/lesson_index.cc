#include "hone/memory/lesson_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "hone/memory/words.h"

namespace hone::memory {
namespace {

constexpr std::size_t kEmbedAtOnce = 256;
constexpr double kFusion = 60;           // Of reciprocal rank fusion.
constexpr std::size_t kMostWords = 200;  // Of a task: what it is about stands at its beginning.
// How much a shared word says, and where the line between chance and relevance is. Fitted to
// tests/lessons; see docs/explain/lessons.md.
constexpr double kWordSlope = 14;
constexpr double kCosineSlope = 14;
constexpr double kLine = 4.95;

std::uint64_t number_of(std::string_view id) {
  std::uint64_t number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number, 16);
  return number;
}

std::string id_of(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::vector<WordKey> keys_of(const std::vector<std::string>& words) {
  std::vector<WordKey> keys;
  for (const std::string& word : words) keys.push_back(key_of(word));
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  keys.shrink_to_fit();
  return keys;
}

}  // namespace

struct LessonIndex::Missing {
  std::string id;
  Place place;
  std::string text;
};

LessonIndex::LessonIndex(std::string tenant, core::Embedder& embedder)
    : tenant_(std::move(tenant)), embedder_(embedder), vectors_(embedder.dimensions()) {}

void LessonIndex::sync(LessonStore& store) {
  std::vector<Missing> missing;
  revision_ = store.changes(tenant_, revision_, embedder_.name(),
                            [&](const ChangedLesson& changed) { take(changed, missing); });
  embed(store, missing);
}

void LessonIndex::take(const ChangedLesson& changed, std::vector<Missing>& missing) {
  drop(number_of(changed.lesson.id));
  if (changed.erased || changed.lesson.forgotten) return;
  const Place place = put(changed.lesson);
  if (changed.vector.size() == embedder_.dimensions()) {
    vectors_.set(place, changed.vector);
  } else {
    missing.push_back({changed.lesson.id, place, searched_text(changed.lesson)});
  }
}

void LessonIndex::drop(std::uint64_t id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  const Place place = found->second;
  all_.remove(place);
  by_agent_[agents_[place]].remove(place);
  vectors_.remove(place);
  by_id_.erase(found);
}

Place LessonIndex::put(const StoredLesson& lesson) {
  const auto place = static_cast<Place>(ids_.size());
  const std::uint64_t id = number_of(lesson.id);
  const auto next = static_cast<std::uint16_t>(by_agent_.size());
  const auto [agent, fresh] = agent_numbers_.try_emplace(lesson.owner.agent, next);
  if (fresh) by_agent_.emplace_back();
  const std::vector<std::string> words = words_of(searched_text(lesson));
  words_.add(place, words);
  by_id_[id] = place;
  ids_.push_back(id);
  agents_.push_back(agent->second);
  keys_.push_back(keys_of(words));
  by_agent_[agent->second].insert(place);
  all_.insert(place);
  return place;
}

void LessonIndex::embed(LessonStore& store, std::vector<Missing>& missing) {
  for (std::size_t start = 0; start < missing.size(); start += kEmbedAtOnce) {
    const std::size_t end = std::min(missing.size(), start + kEmbedAtOnce);
    std::vector<std::string> texts;
    for (std::size_t at = start; at < end; ++at) texts.push_back(missing[at].text);
    std::vector<Vector> vectors = embedder_.embed(texts);
    std::vector<VectorOf> kept;
    for (std::size_t at = start; at < end; ++at) {
      vectors_.set(missing[at].place, vectors[at - start]);
      kept.push_back({missing[at].id, std::move(vectors[at - start])});
    }
    store.keep_vectors(tenant_, embedder_.name(), kept);
  }
}

Sought LessonIndex::sought(const std::string& text) const {
  Sought sought{.words = words_of(text)};
  if (sought.words.size() > kMostWords) sought.words.resize(kMostWords);
  sought.vector = embedder_.embed(std::span(&text, 1)).front();
  return sought;
}

double LessonIndex::overlap(const Sought& sought, Place place, double sought_square) const {
  const std::vector<WordKey>& keys = keys_[place];
  double shared = 0;
  std::vector<WordKey> seen;
  for (const std::string& word : sought.words) {
    const WordKey key = key_of(word);
    if (!std::ranges::binary_search(keys, key) || std::ranges::find(seen, key) != seen.end())
      continue;
    seen.push_back(key);
    shared += std::pow(words_.weight(word), 2);
  }
  if (shared == 0) return 0;
  double own_square = 0;
  for (const WordKey key : keys) own_square += std::pow(words_.rarity(key), 2);
  return shared / std::sqrt(std::max(sought_square, shared) * std::max(own_square, shared));
}

double LessonIndex::relevance(double words, double cosine) const {
  const double z = kWordSlope * words + kCosineSlope * (cosine - embedder_.relevant_cosine());
  return 1 / (1 + std::exp(kLine - z));
}

std::vector<Candidate> LessonIndex::candidates(const Sought& sought,
                                               const std::optional<std::string>& agent,
                                               std::size_t count, const PlaceSet* among) {
  const auto number = agent ? agent_numbers_.find(*agent) : agent_numbers_.end();
  if (agent && number == agent_numbers_.end()) return {};
  const PlaceSet& own = agent ? by_agent_[number->second] : all_;
  const PlaceSet within = among == nullptr ? PlaceSet() : own.common(*among);
  const PlaceSet* searched = among == nullptr ? &own : &within;
  std::map<Place, double> fused;
  double rank = kFusion;
  for (const Near& near : vectors_.nearest(sought.vector, count, searched))
    fused[near.place] += 1 / ++rank;
  rank = kFusion;
  for (const Found& found : words_.search(sought.words, count, searched))
    fused[found.place] += 1 / ++rank;
  double square = 0;
  for (const std::string& word : sought.words) square += std::pow(words_.weight(word), 2);
  std::vector<Candidate> candidates;
  for (const auto& [place, score] : fused) {
    Candidate candidate{.id = id_of(ids_[place]), .place = place};
    candidate.cosine = vectors_.cosine(sought.vector, place);
    candidate.words = overlap(sought, place, square);
    candidate.relevance = relevance(candidate.words, candidate.cosine);
    candidate.fused = score;
    candidates.push_back(std::move(candidate));
  }
  std::ranges::sort(candidates, {}, [](const Candidate& candidate) {
    return std::tuple(-candidate.fused, -candidate.relevance, candidate.place);
  });
  return candidates;
}

std::optional<Place> LessonIndex::place_of(const std::string& id) const {
  const auto found = by_id_.find(number_of(id));
  return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

double LessonIndex::cosine(Place left, Place right) const {
  return vectors_.cosine(vectors_.get(left), right);
}

}  // namespace hone::memory
