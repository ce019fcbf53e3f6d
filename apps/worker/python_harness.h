// The text of python_harness.py.
#pragma once

namespace hone::worker {

extern const char* const kPythonHarness;

}  // namespace hone::worker
