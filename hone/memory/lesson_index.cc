#include "hone/memory/lesson_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "hone/memory/lexical_embedder.h"
#include "hone/memory/words.h"

namespace hone::memory {
namespace {

constexpr std::size_t kEmbedAtOnce = 256;
constexpr double kFusion = 60;           // Of reciprocal rank fusion.
constexpr double kTelling = 0.9;         // Weight of words that not every task has.
constexpr std::size_t kMostWords = 200;  // Of a task: what it is about stands at its beginning.

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

struct LessonIndex::Weighed {
  WordKey key = 0;
  double square = 0;  // Of its weight.
  bool telling = false;
};

LessonIndex::LessonIndex(std::string tenant, core::Embedder& embedder)
    : tenant_(std::move(tenant)), embedder_(embedder), vectors_(embedder.dimensions()) {}

void LessonIndex::sync(LessonStore& store) {
  revision_ = store.changes(tenant_, revision_, embedder_.name(),
                            [&](const ChangedLesson& changed) { take(changed); });
}

void LessonIndex::take(const ChangedLesson& changed) {
  drop(number_of(changed.lesson.id));
  if (changed.erased || changed.lesson.forgotten) return;
  const Place place = put(changed.lesson);
  if (changed.vector.size() == embedder_.dimensions()) {
    vectors_.set(place, changed.vector);
  } else {
    missing_.emplace(place, searched_text(changed.lesson));
  }
}

void LessonIndex::drop(std::uint64_t id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  const Place place = found->second;
  all_.remove(place);
  by_agent_[agents_[place]].remove(place);
  vectors_.remove(place);
  missing_.erase(place);
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
  const std::vector<WordKey> keys = keys_of(words);
  keys_.insert(keys_.end(), keys.begin(), keys.end());
  ends_.push_back(keys_.size());
  by_agent_[agent->second].insert(place);
  all_.insert(place);
  return place;
}

std::vector<Vector> LessonIndex::vectors_of(std::span<const std::string> texts) {
  if (failure_) return {};
  try {
    return embedder_.embed(texts);
  } catch (const Error& error) {
    failure_ = error;
    return {};
  }
}

void LessonIndex::embed(LessonStore* keeper, std::size_t most) {
  for (std::size_t left = most; left > 0 && !missing_.empty();) {
    const std::size_t count = std::min({left, missing_.size(), kEmbedAtOnce});
    std::vector<Place> places;
    std::vector<std::string> texts;
    for (auto newest = missing_.rbegin(); places.size() < count; ++newest) {
      places.push_back(newest->first);
      texts.push_back(newest->second);
    }
    std::vector<Vector> vectors = vectors_of(texts);
    if (failure_) return;
    std::vector<VectorOf> kept;
    for (std::size_t at = 0; at < count; ++at) {
      vectors_.set(places[at], vectors[at]);
      kept.push_back({id_of(ids_[places[at]]), std::move(vectors[at])});
      missing_.erase(places[at]);
    }
    if (keeper != nullptr) keeper->keep_vectors(tenant_, embedder_.name(), kept);
    left -= count;
  }
}

Sought LessonIndex::sought_by_words(const std::string& text) {
  Sought sought{.text = text, .words = words_of(text), .vector = {}};
  if (sought.words.size() > kMostWords) sought.words.resize(kMostWords);
  return sought;
}

Sought LessonIndex::sought(const std::string& text) {
  Sought sought = sought_by_words(text);
  std::vector<Vector> vectors = vectors_of(std::span(&text, 1));
  if (!vectors.empty()) sought.vector = std::move(vectors.front());
  return sought;
}

std::span<const WordKey> LessonIndex::keys_at(Place place) const {
  const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
  return std::span(keys_).subspan(begin, ends_[place] - begin);
}

// Each word that is sought once, by key.
std::vector<LessonIndex::Weighed> LessonIndex::weighed(const Sought& sought) const {
  std::vector<Weighed> weighed;
  for (const std::string& word : sought.words) {
    weighed.push_back({.key = key_of(word),
                       .square = std::pow(words_.weight(word), 2),
                       .telling = weight_of(word) > kTelling});
  }
  std::ranges::sort(weighed, {}, &Weighed::key);
  const auto twice = std::ranges::unique(weighed, {}, &Weighed::key);
  weighed.erase(twice.begin(), twice.end());
  return weighed;
}

LessonIndex::Overlap LessonIndex::overlap(std::span<const Weighed> sought, Place place) const {
  const std::span<const WordKey> keys = keys_at(place);
  double shared = 0;
  double sought_square = 0;
  Overlap found;
  for (const Weighed& word : sought) {
    sought_square += word.square;
    if (!std::ranges::binary_search(keys, word.key)) continue;
    shared += word.square;
    found.telling += word.telling ? 1 : 0;
  }
  if (shared == 0) return found;
  double own_square = 0;
  for (const WordKey key : keys) own_square += std::pow(words_.rarity(key), 2);
  found.cosine = shared / std::sqrt(std::max(sought_square, shared) * std::max(own_square, shared));
  return found;
}

// A lesson that has no vector of the model yet is weighed by its words.
void LessonIndex::weigh(Candidate& candidate, const Sought& sought, int telling) const {
  core::RelevanceLine line = embedder_.relevance_line();
  if (vectors_.has(candidate.place) && !sought.vector.empty()) {
    candidate.cosine = vectors_.cosine(sought.vector, candidate.place);
  } else if (const auto text = missing_.find(candidate.place); text != missing_.end()) {
    LexicalEmbedder lexical;
    line = lexical.relevance_line();
    const std::vector<std::string> both{sought.text, text->second};
    const std::vector<Vector> vectors = lexical.embed(both);
    candidate.cosine =
        std::inner_product(vectors[0].begin(), vectors[0].end(), vectors[1].begin(), 0.0);
  }
  const double needed = telling < 2 ? line.line + line.alone : line.line;
  const double likely = line.words * candidate.words + line.cosine * candidate.cosine - needed;
  candidate.relevance = 1 / (1 + std::exp(-likely));
}

std::map<Place, double> LessonIndex::fused(const Sought& sought, std::size_t count,
                                           const PlaceSet* among) {
  std::map<Place, double> scores;
  double rank = kFusion;
  std::vector<Near> nearest;
  if (!sought.vector.empty()) nearest = vectors_.nearest(sought.vector, count, among);
  for (const Near& near : nearest) scores[near.place] += 1 / ++rank;
  rank = kFusion;
  for (const Found& found : words_.search(sought.words, count, among))
    scores[found.place] += 1 / ++rank;
  return scores;
}

std::vector<Candidate> LessonIndex::candidates(const Sought& sought,
                                               const std::optional<std::string>& agent,
                                               std::size_t count, const PlaceSet* among) {
  const auto number = agent ? agent_numbers_.find(*agent) : agent_numbers_.end();
  if (agent && number == agent_numbers_.end()) return {};
  const PlaceSet& own = agent ? by_agent_[number->second] : all_;
  const PlaceSet within = among == nullptr ? PlaceSet() : own.common(*among);
  const PlaceSet* searched = among == nullptr ? &own : &within;
  const std::vector<Weighed> words = weighed(sought);
  std::vector<Candidate> candidates;
  for (const auto& [place, score] : fused(sought, count, searched)) {
    Candidate candidate{.id = id_of(ids_[place]), .place = place};
    const Overlap shared = overlap(words, place);
    candidate.words = shared.cosine;
    weigh(candidate, sought, shared.telling);
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
  if (!vectors_.has(left) || !vectors_.has(right)) return 0;
  return vectors_.cosine(vectors_.get(left), right);
}

}  // namespace hone::memory
