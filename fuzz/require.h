// What a fuzzer demands of the code it feeds: a demand that does not hold is a crash.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace hone::fuzz {

// `demand` says what should have held.
inline void require(bool holds, const char* demand) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", demand);
  std::abort();
}

}  // namespace hone::fuzz
