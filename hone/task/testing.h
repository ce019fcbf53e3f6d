// What the tests of task files share.
#pragma once

#include <string_view>
#include <variant>

#include "hone/task/task_file.h"

namespace hone::task {

inline TaskFile parsed(std::string_view text) { return parse_task_file(text, "t.yaml", {}); }

// The options of a check, which is of that kind.
template <class Options>
const Options& check(const TaskFile& file, std::size_t index) {
  return std::get<Options>(file.checks.at(index).options);
}

}  // namespace hone::task
