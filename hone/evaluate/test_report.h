// The single failures in what test runners print: pytest, ctest, cargo test, go test, node --test
// and everything that speaks TAP.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::evaluate {

struct TestFailure {
  std::string test;     // Its name as the runner writes it; empty for a failure of no single test.
  std::string place;    // "tests/test_order.py:9", where the runner says it.
  std::string message;  // What it says, white space collapsed; may be empty.

  bool operator==(const TestFailure&) const = default;
};

// In the order of the text, which is all that the runner printed; none if no runner is recognised.
// Tests that are skipped or still to be done are none, and neither is a group whose own tests are
// listed. Colours are passed over.
std::vector<TestFailure> failing_tests(std::string_view text);

// "`test_total` failed at test_order.py:9: assert 41 == 42".
std::string sentence(const TestFailure& failure);

}  // namespace hone::evaluate
