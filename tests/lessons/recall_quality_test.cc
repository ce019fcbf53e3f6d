// What is shown to tasks of the labelled sets: see labelled.h.
#include <gtest/gtest.h>

#include "hone/memory/lexical_embedder.h"
#include "hone/model/local_embedder.h"
#include "hone/model/local_testing.h"
#include "tests/lessons/labelled.h"

namespace hone::memory {
namespace {

constexpr const char* kFitted = "tests/lessons/pairs.jsonl";
constexpr const char* kHeldOut = "tests/lessons/held_out.jsonl";

struct Row {
  const char* name;
  const char* set;
  bool by_model;
  double precision;  // Of the domain.
  double found;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

// The encoder, or null with the reason why it cannot be had.
std::unique_ptr<core::Embedder> encoder(std::string& reason) {
  if (*model::kPlugin == '\0') reason = "built without the local model";
  const model::Fetched& weights = model::encoder_weights();
  if (!weights.weights) reason = "no weights of MiniLM: " + weights.reason;
  if (!reason.empty()) return nullptr;
  return std::make_unique<model::LocalEmbedder>(model::built_in_catalogue().get("minilm"),
                                                weights.weights->path, model::options());
}

class RecallQuality : public testing::TestWithParam<Row> {};

// Words alone stay a little under nine of ten where nothing was fitted; docs/explain/lessons.md has
// the figures.
TEST_P(RecallQuality, WhatIsShownBelongsAndNineOfTenOtherTasksAreLeftAlone) {
  std::unique_ptr<core::Embedder> embedder = std::make_unique<LexicalEmbedder>();
  std::string reason;
  if (GetParam().by_model) embedder = encoder(reason);
  if (!embedder) GTEST_SKIP() << reason;
  const LabelledSet set = read_labelled(GetParam().set);
  for (const Order order : {Order::Hybrid, Order::Protocol}) {
    const Quality quality = measure(set, *embedder, {.order = order});
    SCOPED_TRACE(show(quality));
    RecordProperty(std::string(to_string(order)), show(quality));
    EXPECT_GE(quality.domain_precision(), GetParam().precision);
    EXPECT_GE(quality.left_alone(), 0.9);
    EXPECT_GE(quality.found(), GetParam().found);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, RecallQuality,
                         testing::Values(Row{"WordsFitted", kFitted, false, 0.95, 0.55},
                                         Row{"WordsHeldOut", kHeldOut, false, 0.87, 0.2},
                                         Row{"MeaningFitted", kFitted, true, 0.95, 0.7},
                                         Row{"MeaningHeldOut", kHeldOut, true, 0.9, 0.3}),
                         [](const auto& row) { return row.param.name; });

TEST(LabelledSets, AreLargeEnoughAndHaveNoDomainInCommon) {
  std::map<std::string, std::string> set_of;
  for (const char* path : {kFitted, kHeldOut}) {
    const LabelledSet set = read_labelled(path);
    std::map<std::string, int> domains;
    for (const auto& [id, domain] : set.domain_of) ++domains[domain];
    EXPECT_GE(domains.size(), 10U);
    for (const auto& [domain, count] : domains) {
      EXPECT_TRUE(set_of.try_emplace(domain, path).second) << domain;
    }
    int unrelated = 0;
    for (const LabelledTask& task : set.tasks) unrelated += task.lesson.empty() ? 1 : 0;
    EXPECT_GE(static_cast<int>(set.tasks.size()) - unrelated, 200);
    EXPECT_GE(unrelated, 60);
  }
}

// The yardstick: vectors without meaning show anything to everybody.
TEST(LabelledSets, RandomVectorsShowWhatDoesNotBelong) {
  RandomEmbedder random;
  const Quality quality = measure(read_labelled(kHeldOut), random, five_nearest());
  EXPECT_LT(quality.domain_precision(), 0.3);
  EXPECT_EQ(quality.left_alone(), 0);
}

}  // namespace
}  // namespace hone::memory
