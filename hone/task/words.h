// Values that are one of a few words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/error.h"
#include "hone/yaml/field.h"

namespace hone::task {

// "task.yaml:3:9: `revise` cannot be `regenrate`; did you mean `regenerate`?"
Error unknown_word(const yaml::Field& field, const std::vector<std::string>& known);

// "task.yaml:3:9: `stop.stable` is not in this version".
Error not_in_this_version(const yaml::Field& field);
// The same about one value of the key.
Error value_not_in_this_version(const yaml::Field& field);

// The value of a key, absent too if it is null.
std::optional<yaml::Field> present(const yaml::Fields& fields, std::string_view key);

}  // namespace hone::task
