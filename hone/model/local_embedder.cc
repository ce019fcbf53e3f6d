#include "hone/model/local_embedder.h"

#include <system_error>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/local_load.h"

namespace hone::model {
namespace {

constexpr std::size_t kHashDigits = 8;
// Fitted to tests/lessons/pairs.jsonl; see docs/explain/lessons.md.
constexpr core::RelevanceLine kLine{.words = 21, .cosine = 14, .line = 9.1, .alone = 2.1};

}  // namespace

std::unique_ptr<core::Embedder> find_local_embedder(const Catalogue& catalogue,
                                                    const LocalOptions& options) {
  const CatalogueModel* model = catalogue.embedding();
  if (model == nullptr || !has_local_engine(options.plugin)) return nullptr;
  const std::filesystem::path file = models_folder() / model->file;
  std::error_code missing;
  const auto bytes = std::filesystem::file_size(file, missing);
  if (missing || static_cast<std::int64_t>(bytes) != model->bytes) return nullptr;
  return std::make_unique<LocalEmbedder>(*model, file, options);
}

LocalEmbedder::LocalEmbedder(CatalogueModel model, std::filesystem::path file, LocalOptions options)
    : model_(std::move(model)), file_(std::move(file)), options_(std::move(options)) {
  HONE_CHECK(model_.dimensions > 0);
  options_.context = model_.context;
}

LocalEmbedder::~LocalEmbedder() = default;

std::string LocalEmbedder::name() const {
  return model_.name + "-" + model_.sha256.substr(0, kHashDigits);
}

core::RelevanceLine LocalEmbedder::relevance_line() const { return kLine; }

std::vector<std::vector<float>> LocalEmbedder::embed(std::span<const std::string> texts) {
  const std::lock_guard lock(mutex_);
  if (!engine_) {
    const LocalWeights weights{.name = model_.name, .path = file_};
    engine_ = load_engine(weights, options_, EngineUse::Encoding, nullptr).engine;
  }
  EngineVectors reply = engine_->encode({texts.begin(), texts.end()});
  const bool fits = reply.vectors.size() == texts.size() &&
                    (texts.empty() || reply.vectors.front().size() == dimensions());
  if (reply.fault != EngineFault::None || !fits) {
    throw Error(ErrorKind::Internal,
                "the embedding model " + model_.name + " failed: " + one_line(reply.detail, 200),
                "move " + file_.string() + " away: hone compares words then");
  }
  return std::move(reply.vectors);
}

}  // namespace hone::model
