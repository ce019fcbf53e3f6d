// The figures of lessons: recall from 10,000 to 1,000,000, memory, adding, 500 runs of 20 tasks,
// and what is shown to the labelled sets by each embedder. About two minutes; prints a line for
// each.
//
// Vectors: 384 components, 2,000 subjects in 48 latent directions with noise, of length 1. Searches
// are timed one by one on one thread, without the time of embedding.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "hone/memory/learning.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/sqlite_store.h"
#include "hone/model/local_embedder.h"
#include "tests/lessons/labelled.h"

namespace hone::memory {
namespace {

constexpr std::size_t kDimensions = 384;
constexpr std::size_t kLatent = 48;
constexpr std::size_t kSubjects = 2000;
constexpr std::size_t kQueries = 50;
constexpr std::size_t kTop = 5;
constexpr int kMillion = 1'000'000;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Eight sums, so that compilers make vectors of the loop.
float dot(const float* left, const float* right) {
  std::array<float, 8> sums{};
  for (std::size_t at = 0; at < kDimensions; at += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += left[at + lane] * right[at + lane];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  return sum;
}

// Vectors that lie as those of texts do: around subjects, in fewer directions than components.
class Vectors {
 public:
  Vectors() : directions_(kLatent * kDimensions), subjects_(kSubjects * kLatent) {
    std::normal_distribution<float> normal;
    for (float& value : normals_) value = normal(random_);
    for (float& part : directions_) part = next_normal();
    for (float& part : subjects_) part = next_normal();
  }
  const Vector& next() {
    const std::size_t subject = random_() % kSubjects;
    for (float& part : vector_) part = next_normal();
    for (std::size_t latent = 0; latent < kLatent; ++latent) {
      const float weight = subjects_[subject * kLatent + latent] + 0.5F * next_normal();
      const float* direction = &directions_[latent * kDimensions];
      for (std::size_t at = 0; at < kDimensions; ++at) vector_[at] += weight * direction[at];
    }
    const float length = std::sqrt(dot(vector_.data(), vector_.data()));
    for (float& part : vector_) part /= length;
    return vector_;
  }

 private:
  float next_normal() { return normals_[random_() % normals_.size()]; }

  std::mt19937 random_{1};
  std::vector<float> normals_ = std::vector<float>(65'521);
  std::vector<float> directions_;
  std::vector<float> subjects_;
  Vector vector_ = Vector(kDimensions);
};

// The best five of each query by an exact comparison with all vectors, as they come.
class Exact {
 public:
  explicit Exact(const std::vector<Vector>& queries) : queries_(queries), best_(queries.size()) {}

  void see(Place place, const Vector& vector) {
    for (std::size_t query = 0; query < queries_.size(); ++query) {
      const float cosine = dot(queries_[query].data(), vector.data());
      auto& list = best_[query];
      if (list.size() == kTop && cosine <= list.back().first) continue;
      list.emplace_back(cosine, place);
      std::ranges::sort(list, std::greater());
      if (list.size() > kTop) list.pop_back();
    }
  }
  bool has(std::size_t query, Place place) const {
    return std::ranges::any_of(best_[query],
                               [place](const auto& one) { return one.second == place; });
  }

 private:
  const std::vector<Vector>& queries_;
  std::vector<std::vector<std::pair<float, Place>>> best_;
};

struct Times {
  std::vector<double> milliseconds;

  template <class Work>
  void time(const Work& work) {
    const auto start = Clock::now();
    work();
    milliseconds.push_back(seconds_since(start) * 1e3);
  }
  double at(double share) {
    std::ranges::sort(milliseconds);
    return milliseconds[static_cast<std::size_t>(share *
                                                 static_cast<double>(milliseconds.size() - 1))];
  }
  std::string text() {
    return fmt::format("median {:.3f} ms, 99 % {:.3f} ms, least {:.3f} ms", at(0.5), at(0.99),
                       at(0));
  }
};

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

void search_vectors(int count) {
  Vectors source;
  std::vector<Vector> queries;
  for (std::size_t query = 0; query < kQueries; ++query) queries.push_back(source.next());
  Exact exact(queries);
  const double before = resident_megabytes();
  VectorIndex index(kDimensions);
  for (Place place = 0; place < static_cast<Place>(count); ++place) {
    const Vector& vector = source.next();
    index.set(place, vector);
    exact.see(place, vector);
  }
  const double memory = resident_megabytes() - before;
  Times times;
  int right = 0;
  for (int round = 0; round < 4; ++round) {
    for (std::size_t query = 0; query < kQueries; ++query) {
      std::vector<Near> found;
      times.time([&] { found = index.nearest(queries[query], kTop); });
      for (const Near& near : found) right += exact.has(query, near.place) ? 1 : 0;
    }
  }
  fmt::print("vectors   {:>9}  {}, recall@5 {:.3f}, {:.0f} MB\n", count, times.text(),
             right / (4.0 * kQueries * kTop), memory);
  std::fflush(stdout);
}

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

class NoEmbedder final : public core::Embedder {
 public:
  std::string name() const override { return "made"; }
  std::size_t dimensions() const override { return kDimensions; }
  std::vector<Vector> embed(std::span<const std::string> texts) override {
    return std::vector<Vector>(texts.size(), Vector(kDimensions));
  }
  core::RelevanceLine relevance_line() const override { return {14, 14, 7.75, 0}; }
  std::size_t at_once() const override { return 0; }
};

// A store that has lessons and vectors without having kept them.
class MadeStore final : public LessonStore {
 public:
  explicit MadeStore(int count) : count_(count) {}
  std::vector<Addition> add(std::span<const StoredLesson>) override { return {}; }
  bool merge(const std::string&, const Merge&) override { return false; }
  void replace(const StoredLesson&) override {}
  void erase(const std::string&, std::span<const std::string>) override {}
  std::optional<StoredLesson> find(const std::string&, const std::string&) override { return {}; }
  std::vector<StoredLesson> list(const Scope&) override { return {}; }
  std::int64_t count(const Scope&) override { return count_; }
  void record(const std::string&, std::span<const Trial>) override {}
  std::vector<Trial> trials(const std::string&, const std::string&) override { return {}; }
  Revision changes(const std::string&, Revision, const std::string&,
                   const std::function<void(const ChangedLesson&)>& visit) override {
    std::mt19937 random(1);
    Vectors vectors;
    for (int number = 0; number < count_; ++number)
      visit({.lesson = made_lesson(number, random), .erased = false, .vector = vectors.next()});
    return 1;
  }
  void keep_vectors(const std::string&, const std::string&, std::span<const VectorOf>) override {}

 private:
  int count_;
};

// The whole of a recall: words, vectors, fusion, relevance.
void recall_lessons(int count) {
  const double before = resident_megabytes();
  NoEmbedder embedder;
  MadeStore store(count);
  LessonIndex index("default", embedder);
  index.sync(store);
  const double memory = resident_megabytes() - before;
  std::mt19937 random(2);
  Vectors vectors;
  Times times;
  for (std::size_t query = 0; query < 4 * kQueries; ++query) {
    Sought sought = LessonIndex::sought_by_words(made_lesson(count, random).text);
    sought.vector = vectors.next();
    times.time([&] { index.candidates(sought, std::string("default"), 30); });
  }
  fmt::print("lessons   {:>9}  {}, {:.0f} MB ({:.0f} MB with all else)\n", count, times.text(),
             memory, resident_megabytes());
  std::fflush(stdout);
}

// A folder of its own that goes with the object.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("hone-lessons-bench-" + std::to_string(getpid()));
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

void add_durably() {
  const Folder folder;
  const auto store = open_lesson_store((folder.path / "lessons.db").string());
  std::mt19937 random(1);
  int number = 0;
  double spent = 0;
  while (number < 50'000) {
    std::vector<StoredLesson> batch;
    for (int i = 0; i < 500; ++i) batch.push_back(made_lesson(number++, random));
    const auto start = Clock::now();
    store->add(batch);
    spent += seconds_since(start);
  }
  fmt::print("add       {:>9}  {:.0f} lessons a second, durable, in batches of 500\n", number,
             number / spent);
  std::fflush(stdout);
}

// Runs of 20 recurring tasks, each of which words its lesson in one of three ways.
void soak() {
  const Folder folder;
  const auto store = open_lesson_store((folder.path / "lessons.db").string());
  LexicalEmbedder embedder;
  Recall recall(*store, embedder);
  Learning learning(*store, recall);
  const std::array subjects{"title",   "summary", "date",     "author",   "price",
                            "colour",  "weight",  "height",   "currency", "street",
                            "country", "phone",   "language", "format",   "version",
                            "licence", "owner",   "status",   "priority", "deadline"};
  for (int run = 0; run < 500; ++run) {
    const std::string subject = subjects[static_cast<std::size_t>(run) % subjects.size()];
    const std::array forms{"Check the " + subject + " field before answering.",
                           "check " + subject + " fields before you answer",
                           "Before answering, check the field " + subject + "."};
    StoredLesson lesson{.id = {}, .text = forms[static_cast<std::size_t>(run) % forms.size()]};
    lesson.provenance = {.run = "r" + std::to_string(run), .attempt = 1};
    lesson.id = lesson_id(lesson.owner, lesson.provenance, lesson.kind);
    learning.learn({lesson});
  }
  fmt::print("soak            500  runs of 20 tasks leave {} lessons\n", store->count({}));
}

void show_quality(core::Embedder& embedder, std::string_view name, const Question& options) {
  for (const char* set : {"pairs", "held_out"}) {
    const std::string path = fmt::format("tests/lessons/{}.jsonl", set);
    for (const Origin origin : {Origin::Advice, Origin::Learned}) {
      fmt::print("labelled  {:>9}  {:<8}  {:<7}  {}\n", name, set,
                 origin == Origin::Advice ? "advice" : "learned",
                 show(measure(read_labelled(path, origin), embedder, options)));
    }
  }
}

#ifdef HONE_LOCAL_PLUGIN
constexpr const char* kPlugin = HONE_LOCAL_PLUGIN;
#else
constexpr const char* kPlugin = "";
#endif

// Where runs keep it or where the tests do; null where it is not here.
std::unique_ptr<core::Embedder> find_encoder() {
  const model::CatalogueModel model = model::built_in_catalogue().get("minilm");
  model::LocalOptions options;
  options.plugin = kPlugin;
  for (const auto& folder :
       {model::models_folder(), model::models_folder().parent_path() / "test-models"}) {
    if (*kPlugin != '\0' && std::filesystem::exists(folder / model.file))
      return std::make_unique<model::LocalEmbedder>(model, folder / model.file, options);
  }
  return nullptr;
}

void show_qualities() {
  LexicalEmbedder words;
  show_quality(words, "words", {});
  const auto meaning = find_encoder();
  if (meaning) {
    show_quality(*meaning, "minilm", {});
  } else {
    fmt::print("labelled     minilm  its weights or its engine are not here\n");
  }
  RandomEmbedder random;
  show_quality(random, "random", five_nearest());
}

}  // namespace
}  // namespace hone::memory

int main() {
  using namespace hone::memory;
  for (const int count : {10'000, 100'000, kMillion}) search_vectors(count);
  for (const int count : {10'000, kMillion}) recall_lessons(count);
  add_durably();
  soak();
  show_qualities();
}
