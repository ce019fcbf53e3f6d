// Completions for shells.
#pragma once

#include <string>

#include "apps/hone/command_words.h"

namespace hone::app {

std::string bash_completion(const CommandWords& hone);
std::string zsh_completion(const CommandWords& hone);
std::string fish_completion(const CommandWords& hone);

}  // namespace hone::app
