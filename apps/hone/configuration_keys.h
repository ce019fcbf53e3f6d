// The keys of a configuration file and what each of them sets.
#pragma once

#include <filesystem>

#include "apps/hone/configuration.h"
#include "hone/yaml/field.h"

namespace hone::app {

// Where a configuration file stands and whose it is.
struct Origin {
  std::filesystem::path folder;
  Owner owner = Owner::User;
};

// Lays what `file` says over `flags`. Throws InvalidInput at the place of what is wrong.
void read_keys(Flags& flags, const yaml::Field& file, const Origin& origin);

}  // namespace hone::app
