// Reading a model file into the local engine.
#pragma once

#include <functional>
#include <memory>

#include "hone/model/local.h"

namespace hone::model {

struct LoadedEngine {
  std::unique_ptr<LocalEngine> engine;
  int context = 0;  // Tokens.
};

enum class EngineUse { Writing, Encoding };

// Throws NotFound, Corrupt, Unsupported or Unavailable in words for the user, Cancelled when
// `cancelled` said so. Blocking.
LoadedEngine load_engine(const LocalWeights& weights, const LocalOptions& options, EngineUse use,
                         std::function<bool()> cancelled);

}  // namespace hone::model
