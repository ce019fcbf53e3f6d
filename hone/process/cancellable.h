// Blocking work that hears of a cancellation.
#pragma once

#include <functional>

#include "hone/async/async.h"
#include "hone/async/worker_pool.h"
#include "hone/process/descriptor.h"

namespace hone::process {

// Runs `work` on a thread of the pool and waits for it. The descriptor that it is given becomes
// readable when the caller is cancelled (terminal): work that polls it ends soon. Rethrows what the
// work throws.
async<void> run_cancellable(WorkerPool& pool,
                            std::function<void(const Descriptor& cancelled)> work);

}  // namespace hone::process
