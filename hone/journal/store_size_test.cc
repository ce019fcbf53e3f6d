// How large a store is, against what its texts weigh.
#include <gtest/gtest.h>
#include <zstd.h>

#include <random>
#include <set>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

constexpr int kAttempts = 10;
// Bytes, with the events that follow from it and what pages leave empty.
constexpr double kMostForAnEffect = 300;

// Words as prose has them: no two texts are alike, all of them compress.
std::string prose(std::size_t length, unsigned seed) {
  constexpr std::string_view kWords[] = {"the",  "order", "total",   "is",      "not",   "what",
                                         "says", "line",  "because", "answer",  "of",    "model",
                                         "a",    "sum",   "seven",   "percent", "never", "first"};
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < length) {
    text += std::string(kWords[random() % std::size(kWords)]) + std::to_string(random() % 90);
    text += random() % 40 == 0 ? ".\n\n" : " ";
  }
  return text;
}

std::size_t zstd_size(const std::string& text) {
  std::string space(ZSTD_compressBound(text.size()), '\0');
  return ZSTD_compress(space.data(), space.size(), text.data(), text.size(), 3);
}

// A model whose answers are long, and the texts that its calls were made of.
class LongModel final : public core::Model {
 public:
  explicit LongModel(unsigned seed) : seed_(seed) {}

  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    ++calls;
    core::ModelReply answer = scripted_reply(request);
    const bool writes = request.role == core::Role::Generate || request.role == core::Role::Revise;
    if (writes) answer.text = prose(4000, seed_ + static_cast<unsigned>(request.attempt));
    if (request.role == core::Role::Evaluate) answer.text = "0.3";
    for (const core::Message& message : request.messages) texts.insert(message.text);
    texts.insert(answer.text);
    co_return answer;
  }
  std::string name() const override { return "long"; }

  int calls = 0;
  std::set<std::string> texts;

 private:
  unsigned seed_;
};

async<void> run_long(core::Run& run, Recording& recording, core::Model& model, Clock& clock,
                     core::Task task) {
  JournaledModel journaled(recording, model);
  ModelRoles roles(journaled);
  core::NoMemory memory;
  core::Ledger ledger;
  core::SeededRandom random(1);
  core::NoEvents nobody;
  Recorder recorder(recording, nobody);
  core::Context context;
  context.run = run.id;
  context.ledger = &ledger;
  context.events = &recorder;
  context.clock = &clock;
  context.random = &random;
  core::LoopOptions options;
  options.stop.attempts = kAttempts;
  options.stop.when.plateau.reset();
  run = co_await core::reflect(context, task, roles.roles(memory), options);
  co_await recording.close();
}

class StoreSizeTest : public StoreTest {
 protected:
  // Records runs of ten attempts over one model each; the texts and calls of all of them.
  void record(int runs) {
    Journal journal({.path = path()});
    for (int i = 0; i < runs; ++i) {
      core::Task task;
      task.prompt = prose(20'000, 100 * static_cast<unsigned>(i));
      LongModel model(100 * static_cast<unsigned>(i));
      SteppingClock clock;
      core::Run run;
      run.id = "01jd0000000run" + std::to_string(10 + i);
      const auto recording = Recording::record(journal, header_of(run.id));
      run_sync([&] { return run_long(run, *recording, model, clock, task); });
      calls_ += model.calls;
      texts_.merge(model.texts);
    }
  }
  std::int64_t file_size() const {
    return static_cast<std::int64_t>(std::filesystem::file_size(path()));
  }

  int calls_ = 0;
  std::set<std::string> texts_;
};

TEST_F(StoreSizeTest, IsThatOfItsDistinctTextsCompressedAndLittleMore) {
  record(12);
  std::size_t compressed = 0;
  for (const std::string& text : texts_) compressed += zstd_size(text);
  const double allowed = 1.1 * static_cast<double>(compressed) + kMostForAnEffect * calls_;
  const auto size = static_cast<double>(file_size());
  RecordProperty("store", std::to_string(size));
  EXPECT_LT(size, allowed) << compressed << " bytes compressed, " << calls_ << " effects, "
                           << (size - static_cast<double>(compressed)) / calls_ << " bytes each";
  EXPECT_EQ(calls_, 12 * (2 * kAttempts + kAttempts - 1));
}

TEST_F(StoreSizeTest, OfAnEffectWithoutLongTextsIsLittle) {
  constexpr int kRuns = 40;
  for (int i = 0; i < kRuns; ++i) record_run(path(), "01jd0000000run" + std::to_string(10 + i));
  EXPECT_LT(file_size() / (8 * kRuns), 320) << "8 effects a run, and the run itself";
}

}  // namespace
}  // namespace hone::journal
