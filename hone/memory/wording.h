// What must not be in a lesson, said generically.
#pragma once

#include <string>
#include <string_view>

#include "hone/memory/lesson.h"

namespace hone::memory {

// The text with secrets, e-mail addresses, telephone numbers and the names and addresses of
// internal machines replaced by what they are: "a credential", "an e-mail address", "a telephone
// number", "an internal address".
std::string generic(std::string_view text);

// The same of every text of the lesson; its names stay.
StoredLesson generic(StoredLesson lesson);

}  // namespace hone::memory
