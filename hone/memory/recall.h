// Which lessons a task is shown, and why.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hone/memory/filter.h"
#include "hone/memory/lesson_index.h"
#include "hone/memory/lexical_embedder.h"

namespace hone::memory {

// What comes first.
enum class Order {
  Hybrid,      // Words and meaning together, by reciprocal rank fusion.
  Similarity,  // The cosine of the vectors.
  Protocol,    // Same task type, then same tool, then meaning, then the newest.
};
std::string_view to_string(Order order);  // "hybrid", "similarity", "protocol".
std::optional<Order> order_from(std::string_view text);

struct Question {
  Scope scope = {};
  std::string text;            // The task, and the error that it met if there is one.
  std::string task_type = {};  // For Order::Protocol.
  std::string tool = {};       // The same; empty: any that the text names.
  std::size_t most = 3;
  Order order = Order::Hybrid;
  double least = 0.5;      // Relevance below which nothing is shown; 0 shows the best in any case.
  double diversity = 0.2;  // From 0 (the most relevant) to 1 (the least alike): MMR.
  Filter filter = {};
};

struct Hit {
  StoredLesson lesson;
  double relevance = 0;  // In [0, 1].
  double cosine = 0;
  double words = 0;
};

struct Recalled {
  std::vector<Hit> hits;
  std::size_t below = 0;     // Candidates that were not relevant enough.
  std::size_t beyond = 0;    // Relevant ones for which there was no room.
  std::string problem = {};  // Why words alone were compared; empty if the embedder works.
};

// How many lessons without a vector get one when somebody asks.
enum class Embedding {
  AsTimeAllows,  // As many as take about a second; the rest the next times.
  All,
};

// Recalls from one store, whose lessons it keeps in an index by tenant. An embedder that fails is
// given up for vectors of words, for as long as the object lives.
// Threads: one at a time. Lifetime: store and embedder outlive it. Blocking.
class Recall {
 public:
  Recall(LessonStore& store, core::Embedder& embedder,
         Embedding embedding = Embedding::AsTimeAllows)
      : store_(store), embedder_(&embedder), embedding_(embedding) {}

  Recalled recall(const Question& question);
  // The index of a tenant with all that the store has, whether it has vectors yet or not.
  LessonIndex& index(const std::string& tenant);

 private:
  std::size_t at_once() const;
  Recalled among_candidates(const Question& question, const Sought& sought, LessonIndex& lessons);
  void give_up_embedder(const Error& failure);
  PlaceSet fitting(const Question& question, const LessonIndex& index);
  std::vector<Hit> ordered(const Question& question, std::vector<Candidate> relevant,
                           const LessonIndex& index);

  LessonStore& store_;
  core::Embedder* embedder_;
  Embedding embedding_;
  LexicalEmbedder lexical_;
  std::string problem_;
  std::map<std::string, std::unique_ptr<LessonIndex>> indexes_;
};

}  // namespace hone::memory
