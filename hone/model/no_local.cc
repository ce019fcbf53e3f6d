// The twin of local_engine.cc in builds without an inference engine.
#include "hone/base/error.h"
#include "hone/model/local_engine.h"

namespace hone::model {

bool has_local_engine(const std::filesystem::path&) { return false; }

std::unique_ptr<LocalEngine> open_local_engine(const std::filesystem::path&) {
  throw Error(ErrorKind::Unsupported,
              "this hone was built without the local model; its engine was not to be had then",
              "build it again with npm, git and a network, or use another model with -m");
}

}  // namespace hone::model
