// The manual page hone(1).
#pragma once

#include <string>

#include "apps/hone/command_words.h"

namespace hone::app {

// In roff, for man(1).
std::string manual(const CommandWords& hone);

}  // namespace hone::app
