// The environment that child processes get.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hone::process {

// Whether a variable of this process stays with it: HONE_… and the keys of model providers.
bool is_private(std::string_view name);

// Whether `name` can name a variable: letters, digits and underscores, no digit first.
bool is_variable_name(std::string_view name);

// This process's environment without what is private, then with `added`, which wins and may be of
// any name. Each is "NAME=value". Throws InvalidInput for names that are none and for values with
// zero bytes.
std::vector<std::string> child_environment(const std::map<std::string, std::string>& added);

}  // namespace hone::process
