// What is shown to tasks of a labelled set: tests/lessons/pairs.jsonl, 216 pairs of a task and the
// lesson that helps it over 12 domains, and 70 tasks that no lesson is about.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "hone/memory/lexical_embedder.h"
#include "hone/memory/recall.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

struct Labelled {
  std::string task;
  std::string lesson;  // Its id; empty for a task that no lesson is about.
};

struct Set {
  std::unique_ptr<LessonStore> store = make_lesson_store();
  std::map<std::string, std::string> domain_of;  // By id of the lesson.
  std::vector<Labelled> tasks;
};

Set read_set() {
  Set set;
  std::ifstream file("tests/lessons/pairs.jsonl");
  std::string line;
  for (int number = 0; std::getline(file, line); ++number) {
    const Json row = parse_json(line);
    if (row.contains("unrelated")) {
      set.tasks.push_back({row["unrelated"], ""});
      continue;
    }
    const StoredLesson made = lesson(row["lesson"], number);
    set.store->add(std::span(&made, 1));
    set.domain_of[made.id] = row["domain"];
    for (const auto& task : row["tasks"]) set.tasks.push_back({task, made.id});
  }
  return set;
}

struct Quality {
  int shown = 0;
  int of_domain = 0;  // Shown and of the task's domain.
  int labelled = 0;   // Shown and the very lesson of the pair.
  int pairs = 0;
  int unrelated = 0;
  int quiet = 0;  // Unrelated tasks that are shown nothing.
};

Quality measure(Set& set, core::Embedder& embedder, const Question& options) {
  Quality quality;
  Recall recall(*set.store, embedder);
  for (const Labelled& one : set.tasks) {
    Question question = options;
    question.text = one.task;
    const Recalled recalled = recall.recall(question);
    quality.shown += static_cast<int>(recalled.hits.size());
    (one.lesson.empty() ? quality.unrelated : quality.pairs) += 1;
    if (one.lesson.empty() && recalled.hits.empty()) ++quality.quiet;
    for (const Hit& hit : recalled.hits) {
      if (one.lesson.empty()) continue;
      quality.of_domain += set.domain_of[hit.lesson.id] == set.domain_of[one.lesson] ? 1 : 0;
      quality.labelled += hit.lesson.id == one.lesson ? 1 : 0;
    }
  }
  return quality;
}

double share(int part, int whole) { return static_cast<double>(part) / std::max(whole, 1); }

std::string show(const Quality& q) {
  return fmt::format(
      "shown {}, of the domain {:.3f}, the labelled one {:.3f}; pairs found {:.3f}; unrelated "
      "tasks left alone {:.3f}",
      q.shown, share(q.of_domain, q.shown), share(q.labelled, q.shown), share(q.labelled, q.pairs),
      share(q.quiet, q.unrelated));
}

TEST(RecallQuality, TheSetIsLargeEnough) {
  const Set set = read_set();
  std::map<std::string, int> domains;
  int pairs = 0;
  for (const auto& [id, domain] : set.domain_of) ++domains[domain];
  for (const Labelled& one : set.tasks) pairs += one.lesson.empty() ? 0 : 1;
  EXPECT_GE(domains.size(), 10U);
  EXPECT_GE(pairs, 200);
  EXPECT_GE(set.tasks.size() - static_cast<std::size_t>(pairs), 60U);
}

TEST(RecallQuality, NineOfTenShownLessonsBelongAndNineOfTenOtherTasksAreLeftAlone) {
  Set set = read_set();
  LexicalEmbedder lexical;
  for (const Order order : {Order::Hybrid, Order::Protocol}) {
    const Quality quality = measure(set, lexical, {.order = order});
    SCOPED_TRACE(show(quality));
    RecordProperty(std::string(to_string(order)), show(quality));
    EXPECT_GE(share(quality.of_domain, quality.shown), 0.9);
    EXPECT_GE(share(quality.quiet, quality.unrelated), 0.9);
    EXPECT_GE(share(quality.labelled, quality.pairs), 0.6);
  }
}

}  // namespace
}  // namespace hone::memory
