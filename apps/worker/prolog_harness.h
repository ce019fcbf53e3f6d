// The text of prolog_harness.pl.
#pragma once

namespace hone::worker {

extern const char* const kPrologHarness;

}  // namespace hone::worker
