// Blocking work that may not hold anybody up.
#pragma once

#include <chrono>
#include <functional>

namespace hone {

// Runs `work` on a thread of its own and waits for it, at most `limit` of real time. Returns true
// when it has ended, and rethrows what it threw; false when it has not: then it is left behind,
// goes on for as long as it likes, and what it throws is lost. So it owns all that it touches.
// Blocking; threads: any.
bool ended_within(std::chrono::nanoseconds limit, std::function<void()> work);

}  // namespace hone
