// The task files that `hone init` begins with, one for each type of task.
#pragma once

#include <string>
#include <vector>

namespace hone::app {

struct Starter {
  std::string type;  // "code"
  std::string text;  // A task file with comments; FILE stands for its name.
};

const std::vector<Starter>& starters();

}  // namespace hone::app
