// The part `check:` of a task file.
#pragma once

#include <vector>

#include "hone/task/files.h"
#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// Throws InvalidInput at the place of what is wrong.
std::vector<Check> read_checks(const yaml::Field& field, Files& files);

}  // namespace hone::task
