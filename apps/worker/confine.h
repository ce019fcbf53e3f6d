// The walls around a worker.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hone/sandbox/wire.h"

namespace hone::worker {

// The filter of system calls, made once: what is not on its list fails with EPERM.
using Filter = std::vector<sock_filter>;
Filter make_filter();  // Empty where the system has no such thing.

// Confines this process for ever: no files, no network, no processes, limits of memory and time.
// Returns what could not be had ("landlock, seccomp"); empty when all walls stand. `base_memory` is
// the address space that the language takes. It keeps the descriptors up to kSocket, no others.
std::string confine(const sandbox::ForkRequest& request, std::uint64_t base_memory,
                    const Filter& filter);

// Bytes of address space that this process has now.
std::uint64_t address_space();

}  // namespace hone::worker
