// Whether two lessons say the same, or the opposite.
#pragma once

#include <string_view>

namespace hone::memory {

// Whether the texts advise the same in nearly the same words: most words in common, the same
// numbers, and both or neither negated.
bool says_the_same(std::string_view left, std::string_view right);

// Whether the texts are about the same and one advises what the other advises against: one is
// negated, or one has the opposite of a word of the other ("always" and "never", "before" and
// "after").
bool says_the_opposite(std::string_view left, std::string_view right);

}  // namespace hone::memory
