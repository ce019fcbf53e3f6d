// Faults one at a time, at every place where they can come, and judges that cannot be read.
#pragma once

#include <cstdint>

namespace hone::simulation {

// For each write and each call of the run of this seed: the same run with a fault there. After a
// disk that was full the resumed run comes to what it had come to without; a call that fails for
// once changes nothing but its cost. Prints what does not hold, and returns how often.
int fail_everywhere(std::uint64_t seed);

// What broken replies of judges change, over many runs with the default rules.
struct BrokenJudges {
  int runs = 0;
  int changed = 0;  // Another attempt was returned.
  int lost = 0;     // One that did not pass, where one had passed.
};
// A fifth of the replies of judges is broken.
BrokenJudges break_judges(std::uint64_t first, std::uint64_t last);

}  // namespace hone::simulation
