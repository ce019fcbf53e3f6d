#include "apps/worker/language.h"

namespace hone::worker {

std::unique_ptr<Interpreter> make_prolog() { return nullptr; }

}  // namespace hone::worker
