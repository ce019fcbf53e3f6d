// Recall from 10,000 and 1,000,000 lessons, adding to the store, and what is shown to a labelled
// set by the lexical embedder and by hashes without meaning.
//
// Vectors: 384 components, 2,000 subjects in 48 latent directions with noise, of length 1.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "hone/base/digest.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/recall.h"
#include "hone/memory/sqlite_store.h"
#include "hone/memory/vector_index.h"
#include "hone/memory/words.h"

namespace hone::memory {
namespace {

constexpr std::size_t kDimensions = 384;
constexpr std::size_t kLatent = 48;
constexpr std::size_t kSubjects = 2000;

void make_unit(Vector& vector) {
  const float length =
      std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0F));
  for (float& part : vector) part /= length;
}

// Vectors that lie as those of texts do: around subjects, in fewer directions than components.
class Vectors {
 public:
  Vectors() : directions_(kLatent * kDimensions), subjects_(kSubjects * kLatent) {
    for (float& part : directions_) part = normal_(random_);
    for (float& part : subjects_) part = normal_(random_);
  }
  Vector next() {
    const std::size_t subject = random_() % kSubjects;
    Vector vector(kDimensions);
    for (std::size_t latent = 0; latent < kLatent; ++latent) {
      const float weight = subjects_[subject * kLatent + latent] + 0.5F * normal_(random_);
      for (std::size_t at = 0; at < kDimensions; ++at)
        vector[at] += weight * directions_[latent * kDimensions + at];
    }
    for (float& part : vector) part += normal_(random_);
    make_unit(vector);
    return vector;
  }

 private:
  std::mt19937 random_{1};
  std::normal_distribution<float> normal_;
  std::vector<float> directions_;
  std::vector<float> subjects_;
};

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::vector<Place> exact(const std::vector<Vector>& vectors, const Vector& query) {
  std::vector<std::pair<float, Place>> all;
  for (Place place = 0; place < vectors.size(); ++place) {
    all.emplace_back(-std::inner_product(query.begin(), query.end(), vectors[place].begin(), 0.0F),
                     place);
  }
  std::partial_sort(all.begin(), all.begin() + 5, all.end());
  std::vector<Place> best;
  for (int rank = 0; rank < 5; ++rank) best.push_back(all[static_cast<std::size_t>(rank)].second);
  return best;
}

// The share of the five nearest that the index finds, over 50 queries.
double recall_at_five(const VectorIndex& index, const std::vector<Vector>& vectors,
                      std::span<const Vector> queries) {
  int found = 0;
  for (const Vector& query : queries) {
    const std::vector<Place> right = exact(vectors, query);
    for (const Near& near : index.nearest(query, 5))
      found += std::ranges::find(right, near.place) != right.end() ? 1 : 0;
  }
  return found / (5.0 * static_cast<double>(queries.size()));
}

void nearest(benchmark::State& state) {
  const auto count = static_cast<Place>(state.range(0));
  Vectors source;
  const double before = resident_megabytes();
  VectorIndex index(kDimensions);
  std::vector<Vector> kept;
  std::vector<Vector> queries;
  for (int query = 0; query < 50; ++query) queries.push_back(source.next());
  // The exact scan wants the vectors themselves: a tenth of a million is enough to compare with.
  const bool compares = count <= 100'000;
  for (Place place = 0; place < count; ++place) {
    Vector vector = source.next();
    index.set(place, vector);
    if (compares) kept.push_back(std::move(vector));
  }
  if (!compares) state.counters["MB"] = resident_megabytes() - before;
  if (compares) state.counters["recall@5"] = recall_at_five(index, kept, queries);
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(index.nearest(queries[next++ % 50], 5));
}
BENCHMARK(nearest)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// 1,000,000 vectors made twice from the same seed: once for the index, once, one at a time, for the
// exact scan of all queries.
void recall_of_a_million(benchmark::State& state) {
  constexpr Place kCount = 1'000'000;
  constexpr std::size_t kQueries = 20;
  std::vector<Vector> queries;
  std::vector<std::vector<std::pair<float, Place>>> best(kQueries);
  double share = 0;
  for (auto _ : state) {
    Vectors source;
    VectorIndex index(kDimensions);
    for (std::size_t query = 0; query < kQueries; ++query) queries.push_back(source.next());
    for (Place place = 0; place < kCount; ++place) {
      const Vector vector = source.next();
      index.set(place, vector);
      for (std::size_t query = 0; query < kQueries; ++query) {
        const float cosine =
            std::inner_product(vector.begin(), vector.end(), queries[query].begin(), 0.0F);
        auto& list = best[query];
        if (list.size() == 5 && cosine <= list.back().first) continue;
        list.emplace_back(cosine, place);
        std::ranges::sort(list, std::greater());
        if (list.size() > 5) list.pop_back();
      }
    }
    int found = 0;
    for (std::size_t query = 0; query < kQueries; ++query) {
      for (const Near& near : index.nearest(queries[query], 5)) {
        found += std::ranges::any_of(best[query],
                                     [&](const auto& one) { return one.second == near.place; });
      }
    }
    share = found / (5.0 * kQueries);
  }
  state.counters["recall@5"] = share;
}
BENCHMARK(recall_of_a_million)->Iterations(1)->Unit(benchmark::kSecond);

StoredLesson made_lesson(int number, std::mt19937& random) {
  StoredLesson lesson;
  for (int word = 0; word < 14; ++word) {
    // Words as in texts: a few are everywhere, most are rare.
    const double rank = std::pow(static_cast<double>(random() % 100'000) / 100'000, 3);
    lesson.text += "w" + std::to_string(static_cast<int>(rank * 30'000)) + " ";
  }
  lesson.text += std::to_string(number);
  lesson.provenance = {.run = "r" + std::to_string(number), .attempt = 1};
  lesson.id = lesson_id(lesson.owner, lesson.provenance, lesson.kind);
  return lesson;
}

// The whole of a recall, without the time of embedding: words, vectors, fusion, relevance.
void hybrid(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  const double before = resident_megabytes();
  std::mt19937 random(1);
  LexicalEmbedder embedder;
  std::vector<Sought> sought;
  const auto folder =
      std::filesystem::temp_directory_path() / ("hone-lessons-bench-" + std::to_string(getpid()));
  {
    const auto store = open_lesson_store((folder / "lessons.db").string());
    for (int start = 0; start < count; start += 1000) {
      std::vector<StoredLesson> batch;
      for (int number = start; number < start + 1000; ++number)
        batch.push_back(made_lesson(number, random));
      store->add(batch);
    }
    LessonIndex index("default", embedder);
    index.sync(*store);
    for (int query = 0; query < 50; ++query)
      sought.push_back(index.sought(made_lesson(count + query, random).text));
    state.counters["MB"] = resident_megabytes() - before;
    std::size_t next = 0;
    for (auto _ : state) {
      benchmark::DoNotOptimize(index.candidates(sought[next++ % 50], std::string("default"), 30));
    }
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(hybrid)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void add_durably(benchmark::State& state) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("hone-lessons-add-" + std::to_string(getpid()));
  {
    const auto store = open_lesson_store((folder / "lessons.db").string());
    std::mt19937 random(1);
    int number = 0;
    for (auto _ : state) {
      std::vector<StoredLesson> batch;
      for (int i = 0; i < 500; ++i) batch.push_back(made_lesson(number++, random));
      store->add(batch);
    }
    state.SetItemsProcessed(state.iterations() * 500);
  }
  std::filesystem::remove_all(folder);
}
BENCHMARK(add_durably)->UseRealTime()->Unit(benchmark::kMillisecond);

// As stores elsewhere embed without a model: a random direction for each text.
class RandomEmbedder final : public core::Embedder {
 public:
  std::string name() const override { return "random"; }
  std::size_t dimensions() const override { return kDimensions; }
  double relevant_cosine() const override { return 0.2; }
  std::vector<Vector> embed(std::span<const std::string> texts) override {
    std::vector<Vector> vectors;
    for (const std::string& text : texts) {
      std::mt19937_64 random(std::stoull(sha256(text).substr(0, 15), nullptr, 16));
      std::normal_distribution<float> normal;
      Vector vector(kDimensions);
      for (float& part : vector) part = normal(random);
      make_unit(vector);
      vectors.push_back(std::move(vector));
    }
    return vectors;
  }
};

// By similarity alone and always five shown, as those stores do; or as hone does.
void labelled(benchmark::State& state, core::Embedder& embedder, const Question& options) {
  const auto store = make_lesson_store();
  std::map<std::string, std::string> domains;
  std::vector<std::pair<std::string, std::string>> tasks;  // Task and domain.
  std::ifstream file("tests/lessons/pairs.jsonl");
  std::string line;
  for (int number = 0; std::getline(file, line); ++number) {
    const Json row = parse_json(line);
    if (row.contains("unrelated")) {
      tasks.emplace_back(row["unrelated"], "");
      continue;
    }
    StoredLesson lesson{.text = row["lesson"]};
    lesson.provenance = {.run = "r" + std::to_string(number), .attempt = 1};
    lesson.id = lesson_id(lesson.owner, lesson.provenance, lesson.kind);
    store->add(std::span(&lesson, 1));
    domains[lesson.id] = row["domain"];
    for (const auto& task : row["tasks"]) tasks.emplace_back(task, row["domain"]);
  }
  Recall recall(*store, embedder);
  double shown = 0;
  double right = 0;
  double unrelated = 0;
  double quiet = 0;
  for (auto _ : state) {
    for (const auto& [task, domain] : tasks) {
      Question question = options;
      question.text = task;
      const Recalled recalled = recall.recall(question);
      unrelated += domain.empty() ? 1 : 0;
      quiet += domain.empty() && recalled.hits.empty() ? 1 : 0;
      for (const Hit& hit : recalled.hits) {
        shown += 1;
        right += domains[hit.lesson.id] == domain ? 1 : 0;
      }
    }
  }
  state.counters["precision"] = right / std::max(shown, 1.0);
  state.counters["left_alone"] = quiet / std::max(unrelated, 1.0);
}

void labelled_lexical(benchmark::State& state) {
  LexicalEmbedder embedder;
  labelled(state, embedder, {});
}
BENCHMARK(labelled_lexical)->Iterations(1);

void labelled_random_hashes(benchmark::State& state) {
  RandomEmbedder embedder;
  labelled(state, embedder, {.most = 5, .order = Order::Similarity, .least = 0, .diversity = 0});
}
BENCHMARK(labelled_random_hashes)->Iterations(1);

}  // namespace
}  // namespace hone::memory
