// Concurrency inside one scope: all work has ended when the call returns.
#pragma once

#include <cstddef>
#include <functional>

#include "hone/async/async.h"

namespace hone {

// Runs start(0) … start(count - 1), at most `at_once` of them at a time, started in order. The
// first failure cancels the others; when all have ended it is rethrown. Cancelling the call cancels
// all of them. All work runs on the awaiting executor.
async<void> for_each_index(std::size_t count, std::size_t at_once,
                           std::function<async<void>(std::size_t)> start);

}  // namespace hone
