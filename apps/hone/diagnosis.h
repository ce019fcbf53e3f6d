// What `hone doctor` looks at. The network is not touched, and nothing is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/hone/flags.h"

namespace hone::app {

enum class Health { Ok, Warn, Fail };
std::string_view to_string(Health health);  // "ok", "warn", "fail".

struct Finding {
  std::string check;  // "store"
  Health health = Health::Ok;
  std::string detail;  // What was found.
  std::string hint;    // What to do about it; empty for ok.
};

// The languages of checks that are code, and the walls around them; starts what runs them.
Finding diagnose_sandbox();

// Everything, in the order in which it is shown.
std::vector<Finding> diagnose(Flags flags);

}  // namespace hone::app
