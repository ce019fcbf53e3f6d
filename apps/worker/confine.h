// The walls around a worker.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "hone/sandbox/wire.h"

namespace hone::worker {

// A filter of system calls: what is not on its list fails with EPERM.
using Filter = std::vector<sock_filter>;
// Made once; empty where the system has no such thing.
struct Filters {
  Filter alone;           // No process, no thread.
  Filter with_processes;  // As many as RLIMIT_NPROC allows.
};
Filters make_filters();

// Both halves confine this process for ever, and return what could not be had ("landlock,
// seccomp"); empty when all walls stand.
//
// The first: no file, no descriptor above kSocket, no new rights.
std::string isolate();
// The second, when it is known what it is for: system calls, memory, time, processes. `base_memory`
// is the address space that the language takes.
std::string limit(const sandbox::WorkerLimits& limits, std::uint64_t base_memory,
                  const Filters& filters);

// Bytes of address space that this process has now.
std::uint64_t address_space();

}  // namespace hone::worker
