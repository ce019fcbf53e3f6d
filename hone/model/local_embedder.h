// Vectors by a sentence encoder that the local engine runs.
#pragma once

#include <memory>
#include <mutex>

#include "hone/core/embedder.h"
#include "hone/model/local.h"

namespace hone::model {

// The encoder of the catalogue, if its weights are here and this hone has an engine; else null.
// Only the size of the file is looked at.
std::unique_ptr<core::Embedder> find_local_embedder(const Catalogue& catalogue,
                                                    const LocalOptions& options);

// One encoder in memory, read on the first call, which throws as LocalModel::complete. Of a text
// the first 256 tokens count. Threads: any; calls wait for each other.
class LocalEmbedder final : public core::Embedder {
 public:
  // `model` has dimensions; its file is `file`.
  LocalEmbedder(CatalogueModel model, std::filesystem::path file, LocalOptions options);
  ~LocalEmbedder() override;

  // The name in the catalogue and the beginning of the hash of the weights.
  std::string name() const override;
  std::size_t dimensions() const override { return static_cast<std::size_t>(model_.dimensions); }
  std::vector<std::vector<float>> embed(std::span<const std::string> texts) override;
  core::RelevanceLine relevance_line() const override;
  std::size_t at_once() const override { return 50; }

 private:
  CatalogueModel model_;
  std::filesystem::path file_;
  LocalOptions options_;
  std::mutex mutex_;
  std::unique_ptr<LocalEngine> engine_;
};

}  // namespace hone::model
