// Labelled sets of tasks and the lessons that help them, and what recall shows to their tasks.
//
// pairs.jsonl has 216 pairs over 12 domains and 70 tasks that no lesson is about: the lines of
// relevance are fitted to it. held_out.jsonl has 216 pairs over 12 other domains and 80 such tasks:
// it was written before anything was measured on it, and nothing is fitted to it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hone/memory/recall.h"

namespace hone::memory {

struct LabelledTask {
  std::string text;
  std::string lesson;  // Id of the one that helps; empty for a task that no lesson is about.
};

struct LabelledSet {
  std::unique_ptr<LessonStore> store;
  std::map<std::string, std::string> domain_of;  // By id of the lesson.
  std::vector<LabelledTask> tasks;
};

// What the lessons know of their tasks.
enum class Origin {
  Advice,   // Nothing: the advice stands alone, as one that a person wrote. Both tasks ask.
  Learned,  // The first task of each, from which a run learned it. The second one asks.
};

LabelledSet read_labelled(const std::string& path, Origin origin = Origin::Advice);

struct Quality {
  int pairs = 0;
  int unrelated = 0;  // Tasks that no lesson is about.
  int shown = 0;      // Lessons to the tasks of pairs.
  int of_domain = 0;  // Of these, the ones of the task's domain.
  int labelled = 0;   // Of these, the very lesson of the pair.
  int quiet = 0;      // Unrelated tasks that are shown nothing.

  double domain_precision() const;
  double lesson_precision() const;
  double found() const;       // Share of the pairs whose lesson was shown.
  double left_alone() const;  // Share of the unrelated tasks.
};

// Asks for each task as `options` says.
Quality measure(const LabelledSet& set, core::Embedder& embedder, const Question& options);

// Fits "embedder  precision …" in one line.
std::string show(const Quality& quality);

// As stores elsewhere embed without a model: a random direction for each text, seeded by its hash.
// For comparison only.
class RandomEmbedder final : public core::Embedder {
 public:
  std::string name() const override { return "random"; }
  std::size_t dimensions() const override { return 384; }
  std::vector<Vector> embed(std::span<const std::string> texts) override;
  core::RelevanceLine relevance_line() const override { return {14, 14, 7.75, 0}; }
  std::size_t at_once() const override { return 20'000; }
};

// What such stores show: the five nearest, whatever they are.
Question five_nearest();

}  // namespace hone::memory
