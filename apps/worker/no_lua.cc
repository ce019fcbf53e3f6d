#include "apps/worker/language.h"

namespace hone::worker {

std::unique_ptr<Interpreter> make_lua() { return nullptr; }

}  // namespace hone::worker
