// What the tests of the journal share: a place for a store, a model that answers by rule, and a
// whole run over it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "hone/async/run_sync.h"
#include "hone/core/loop.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/layout.h"
#include "hone/journal/recorder.h"
#include "hone/journal/run_store.h"

namespace hone::journal {

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string name = (std::filesystem::temp_directory_path() / "hone-journal-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~StoreTest() override { std::filesystem::remove_all(directory_); }

  std::string path() const { return directory_ / "store.db"; }

  std::filesystem::path directory_;
};

// An empty store.
inline sqlite::Database open_store(const std::string& path) {
  auto database = sqlite::Database::open({.path = path});
  sqlite::migrate(database, layout());
  return database;
}

// What `action` throws; a failure of the test if it throws nothing.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (...) {
    return to_error(std::current_exception());
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::Internal, ""};
}

inline RunHeader header_of(const std::string& run) {
  RunHeader header;
  header.run = run;
  header.hone_version = "0.0.0";
  header.task_name = "memo";
  header.task.text = R"({"task":"Write a memo."})";
  header.options.text = "{}";
  header.models = {{core::Role::Generate, "fake:rules"}};
  header.process = this_process();
  header.started = Instant(std::chrono::seconds(1'763'769'000));
  return header;
}

// Text that no compression makes smaller than half.
std::string noise(std::size_t length, unsigned seed = 1);

// Answers each request by a function and counts the calls.
class FakeModel final : public core::Model {
 public:
  using Answer = std::function<core::ModelReply(const core::ModelRequest&)>;
  explicit FakeModel(Answer answer) : answer_(std::move(answer)) {}

  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    ++calls;
    co_return answer_(request);
  }
  std::string name() const override { return "fake:rules"; }

  int calls = 0;

 private:
  Answer answer_;
};

class SteppingClock final : public Clock {
 public:
  Instant now() override { return now_ += std::chrono::nanoseconds(1'234'567); }
  async<void> sleep_until(Instant) override { co_return; }

 private:
  Instant now_{std::chrono::seconds(1'763'769'600)};
};

inline core::ModelReply reply(std::string text) {
  core::Usage usage;
  usage.calls = 1;
  usage.input.count = 40;
  usage.output.count = 12;
  return {std::move(text), core::Finish::Complete, "rules-1", usage};
}

// Three attempts with a judge and a reflector: 0.4, 0.6, passed.
inline core::ModelReply scripted_reply(const core::ModelRequest& request) {
  const std::string number = std::to_string(request.attempt);
  if (request.role == core::Role::Evaluate) {
    return reply(request.attempt < 3 ? "0." + std::to_string(2 + 2 * request.attempt) : "1.0");
  }
  if (request.role == core::Role::Reflect) return reply("Attempt " + number + " lacks a total.");
  return reply("Memo " + number + ": " + std::string(150, 'm'));
}

core::ModelRequest request_for(core::Role role, int attempt, const core::Run& run);

// The four roles over one model, as plain as they can be.
class ModelRoles final : public core::Generator,
                         public core::Evaluator,
                         public core::Reflector,
                         public core::Reviser {
 public:
  explicit ModelRoles(core::Model& model) : model_(model) {}
  core::Roles roles(core::Memory& memory) { return {*this, *this, *this, *this, memory}; }

  async<core::Output> generate(core::Context context, const core::Run& run) override;
  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override;
  async<core::Reflection> reflect(core::Context context, const core::Run& run) override;
  async<core::Output> revise(core::Context context, const core::Run& run) override;

 private:
  async<core::ModelReply> ask(core::Context context, core::Role role, const core::Run& run);

  core::Model& model_;
};

// Counts what calls cost, as the budget's wrapper does.
class CountingModel final : public core::Model {
 public:
  explicit CountingModel(core::Model& model) : model_(model) {}
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return model_.name(); }

 private:
  core::Model& model_;
};

// One run of the loop over `model` with everything recorded, or replayed, by `recording`.
async<void> run_recorded(core::Run& result, Recording& recording, core::Model& model, Clock& clock,
                         core::EventSink& listener, int at_once = 1);
core::Run run_recorded(Recording& recording, core::Model& model, int at_once = 1);

// Records a run of scripted_reply and returns it.
core::Run record_run(const std::string& path, const std::string& id);

}  // namespace hone::journal
