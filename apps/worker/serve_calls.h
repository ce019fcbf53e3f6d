// What a worker does: it answers calls.
#pragma once

#include "apps/worker/language.h"
#include "hone/sandbox/wire.h"

namespace hone::worker {

// Answers one call on kSocket, or calls until it closes where the worker is reused.
void serve_calls(Interpreter& interpreter, const sandbox::WorkerLimits& limits);
// Answers one call with the reason why there is none.
void refuse_call(const std::string& reason);

}  // namespace hone::worker
