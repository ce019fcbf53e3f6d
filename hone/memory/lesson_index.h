// The lessons of one tenant, found by words and by meaning.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "hone/base/error.h"
#include "hone/core/embedder.h"
#include "hone/memory/lesson_store.h"
#include "hone/memory/vector_index.h"
#include "hone/memory/word_index.h"

namespace hone::memory {

// What is looked for: a text, its words and its vector.
struct Sought {
  std::string text;
  std::vector<std::string> words;
  Vector vector;  // Of length 1, or zero; empty to look for words only.
};

// A lesson that may help.
struct Candidate {
  std::string id;
  Place place = 0;
  double cosine = 0;     // Of the vectors; of those of words while it has none of the model.
  double words = 0;      // Cosine of the weighted words.
  double relevance = 0;  // Of both: from 0.5 on it is likely to help.
  double fused = 0;      // Reciprocal rank fusion of the two searches (Cormack, 2009).
};

// Follows a store: what other processes add is there after the next sync(). Holds the texts of
// lessons only that have no vector yet.
// Threads: one at a time. Lifetime: the embedder outlives it.
class LessonIndex {
 public:
  LessonIndex(std::string tenant, core::Embedder& embedder);

  // Takes in what changed. Lessons without a vector of this embedder are found by their words until
  // they are embedded.
  void sync(LessonStore& store);
  // Gives a vector to the newest `most` of those that have none; `keeper`, if there is one, keeps
  // them. An embedder that fails is asked no more; see failure().
  void embed(LessonStore* keeper, std::size_t most);
  const std::optional<Error>& failure() const { return failure_; }

  Sought sought(const std::string& text);
  // The same without a vector.
  static Sought sought_by_words(const std::string& text);
  // The best `count` by words and the best `count` by vectors, by fused rank. `agent` absent: of
  // all agents. `among`: null for all.
  std::vector<Candidate> candidates(const Sought& sought, const std::optional<std::string>& agent,
                                    std::size_t count, const PlaceSet* among = nullptr);
  // The place of a lesson that is not forgotten; absent for others.
  std::optional<Place> place_of(const std::string& id) const;
  // The cosine of two lessons.
  double cosine(Place left, Place right) const;
  std::size_t size() const { return by_id_.size(); }

 private:
  void take(const ChangedLesson& changed);
  void drop(std::uint64_t id);
  Place put(const StoredLesson& lesson);
  std::vector<Vector> vectors_of(std::span<const std::string> texts);
  std::span<const WordKey> keys_at(Place place) const;
  struct Overlap {
    double cosine = 0;
    int telling = 0;  // Words that they share and that not every task has.
  };
  // Reciprocal ranks in the two searches, by place.
  std::map<Place, double> fused(const Sought& sought, std::size_t count, const PlaceSet* among);
  struct Weighed;
  std::vector<Weighed> weighed(const Sought& sought) const;
  Overlap overlap(std::span<const Weighed> sought, Place place) const;
  void weigh(Candidate& candidate, const Sought& sought, int telling) const;

  std::string tenant_;
  core::Embedder& embedder_;
  Revision revision_ = 0;
  WordIndex words_;
  VectorIndex vectors_;
  std::unordered_map<std::uint64_t, Place> by_id_;
  std::vector<std::uint64_t> ids_;  // By place, as the other two.
  std::vector<std::uint16_t> agents_;
  std::vector<WordKey> keys_;             // Of all places, one after another.
  std::vector<std::uint64_t> ends_;       // By place, in keys_.
  std::map<Place, std::string> missing_;  // Texts that wait for a vector.
  std::optional<Error> failure_;
  std::map<std::string, std::uint16_t, std::less<>> agent_numbers_;
  std::vector<PlaceSet> by_agent_;
  PlaceSet all_;
};

}  // namespace hone::memory
