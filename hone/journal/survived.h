// Which of the recorded failures a run went on after.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "hone/journal/record.h"

namespace hone::journal {

// The indices, among the effects, of failures that a later effect of the run came after: a judge
// that gave no answer, say, whereupon the output stayed unknown. A run that is resumed gets these
// failures again, for what followed depends on them; it makes again what its end was due to.
//
// Attempts of one round do not come after each other, whatever the order of their records.
std::unordered_set<std::size_t> survived_failures(const RecordedRun& run);

}  // namespace hone::journal
