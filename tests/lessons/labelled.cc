#include "tests/lessons/labelled.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "hone/base/digest.h"
#include "hone/base/json.h"

namespace hone::memory {
namespace {

double share(int part, int whole) { return static_cast<double>(part) / std::max(whole, 1); }

}  // namespace

double Quality::domain_precision() const { return share(of_domain, shown); }
double Quality::lesson_precision() const { return share(labelled, shown); }
double Quality::found() const { return share(labelled, pairs); }
double Quality::left_alone() const { return share(quiet, unrelated); }

LabelledSet read_labelled(const std::string& path, Origin origin) {
  LabelledSet set{.store = make_lesson_store()};
  std::ifstream file(path);
  std::string line;
  for (int number = 0; std::getline(file, line); ++number) {
    const Json row = parse_json(line);
    if (row.contains("unrelated")) {
      set.tasks.push_back({row["unrelated"], ""});
      continue;
    }
    StoredLesson made{.id = {}, .text = row["lesson"]};
    const bool learned = origin == Origin::Learned;
    if (learned) made.task = row["tasks"][0];
    made.provenance = {.run = "run" + std::to_string(number), .attempt = 1};
    made.id = lesson_id(made.owner, made.provenance, made.kind);
    set.store->add(std::span(&made, 1));
    set.domain_of[made.id] = row["domain"];
    for (const auto& task : row["tasks"]) {
      if (!learned || task != made.task) set.tasks.push_back({task, made.id});
    }
  }
  return set;
}

Quality measure(const LabelledSet& set, core::Embedder& embedder, const Question& options) {
  Quality quality;
  Recall recall(*set.store, embedder, Embedding::All);
  for (const LabelledTask& task : set.tasks) {
    Question question = options;
    question.text = task.text;
    const std::vector<Hit> hits = recall.recall(question).hits;
    if (task.lesson.empty()) {
      ++quality.unrelated;
      quality.quiet += hits.empty() ? 1 : 0;
      continue;
    }
    ++quality.pairs;
    quality.shown += static_cast<int>(hits.size());
    for (const Hit& hit : hits) {
      quality.of_domain += set.domain_of.at(hit.lesson.id) == set.domain_of.at(task.lesson) ? 1 : 0;
      quality.labelled += hit.lesson.id == task.lesson ? 1 : 0;
    }
  }
  return quality;
}

std::string show(const Quality& quality) {
  return fmt::format(
      "shown {:4}  of the domain {:.3f}  the very lesson {:.3f}  pairs found {:.3f}  unrelated "
      "left "
      "alone {:.3f}",
      quality.shown, quality.domain_precision(), quality.lesson_precision(), quality.found(),
      quality.left_alone());
}

std::vector<Vector> RandomEmbedder::embed(std::span<const std::string> texts) {
  std::vector<Vector> vectors;
  for (const std::string& text : texts) {
    std::mt19937_64 random(std::stoull(sha256(text).substr(0, 15), nullptr, 16));
    std::normal_distribution<float> normal;
    Vector vector(dimensions());
    for (float& part : vector) part = normal(random);
    const float length =
        std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0F));
    for (float& part : vector) part /= length;
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

Question five_nearest() {
  return {.most = 5, .order = Order::Similarity, .least = 0, .diversity = 0};
}

}  // namespace hone::memory
