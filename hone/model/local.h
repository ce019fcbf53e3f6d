// The embedded model: llama.cpp inside this process, behind core::Model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "hone/core/effects.h"
#include "hone/model/catalogue.h"
#include "hone/model/local_engine.h"
#include "hone/model/local_job.h"
#include "hone/model/weights.h"

namespace hone::model {

struct LocalOptions {
  // Threads of the engine. All cores but one, at least one: with as many threads as cores the
  // engine's barriers spin against every other process, and it becomes ten times slower.
  int threads = 1;
  int context = 8192;            // Tokens of prompt and answer together; the model's limit caps it.
  std::filesystem::path plugin;  // libhone_local.so; empty: beside the program.
  // Bytes that a model may take; absent: what the machine has available when it is loaded.
  std::optional<std::int64_t> memory;
};

// The defaults, with HONE_LOCAL_THREADS and HONE_LOCAL_CONTEXT where they are set. Throws
// InvalidInput for values that are no positive whole numbers.
LocalOptions local_options_from_environment();

// How long the last answer took, without the time it waited for others.
struct LocalTimes {
  double load = 0;    // Seconds of reading the file; once for a model.
  double prompt = 0;  // Seconds of reading the prompt.
  double answer = 0;  // Seconds of writing.
  double schema = 0;  // The part of writing that a schema took.
};

// One model in memory, read on the first call. Requests are served one after another on a thread of
// its own; the start of a prompt that it has in common with any of the last eight is not read again
// (usage.cached). Without a seed and above temperature 0 answers differ. A schema in the request is
// enforced token by token: a complete answer is JSON that fits it, except where last_note() says
// otherwise. Probabilities of the request's choices are relative to each other.
// Threads: any loop.
class LocalModel final : public core::Model {
 public:
  LocalModel(LocalWeights weights, LocalOptions options);

  // Throws InvalidInput for a prompt that does not fit, Corrupt for a damaged file, Unsupported
  // without an engine or for a model that cannot chat, Unavailable for one bigger than the memory.
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return "local:" + weights_.name; }

  LocalTimes last_times() const;
  // Why the last request's schema was not enforced, or not wholly; empty if it was.
  std::string last_note() const;

 private:
  void serve(LocalJob& job);
  void load(const LocalJob& job);
  bool asked_to_stop(const LocalJob& job);

  LocalWeights weights_;
  LocalOptions options_;
  std::unique_ptr<LocalEngine> engine_;  // Engine's thread only, as is context_.
  int context_ = 0;
  mutable std::mutex mutex_;
  LocalTimes times_;
  std::string note_;
  LocalThread thread_;  // Last: it ends first.
};

// The local models of a process: each file is in memory once, whoever asks for it. Threads: any.
class LocalModels {
 public:
  LocalModels(Catalogue catalogue, LocalOptions options);

  // `name` is what follows "local:": a name of the catalogue, a path of a GGUF file, or nothing for
  // the default. Throws InvalidInput for an unknown name, NotFound when the weights are not here.
  std::shared_ptr<core::Model> get(std::string_view name);

 private:
  Catalogue catalogue_;
  LocalOptions options_;
  std::mutex mutex_;
  std::map<std::filesystem::path, std::shared_ptr<LocalModel>> models_;
};

}  // namespace hone::model
