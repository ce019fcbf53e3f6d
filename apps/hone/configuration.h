// Configuration files: defaults for flags. The user's, then the project's, which wins.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/hone/flags.h"

namespace hone::app {

struct Configuration {
  Flags flags;                               // What the files set.
  std::vector<std::filesystem::path> files;  // Those that were read, the stronger one last.
};

// $XDG_CONFIG_HOME/hone/config.yaml, or ~/.config/hone/config.yaml; empty when neither is known.
std::filesystem::path user_configuration();
// `.hone.yaml` in the working folder or the nearest folder above that has one. The search ends at
// the first folder that holds a repository (.git). Empty when there is none.
std::filesystem::path project_configuration();

// Reads those of both files that exist. Throws InvalidInput as "file:line:column: …".
Configuration read_configuration();

// Whose file it is decides what may stand in it: one that came with a repository must not choose
// where prompts and keys go, nor what is executed.
enum class Owner { User, Project };

// Lays the file's keys over `flags`. They are called like the flags, with _ for -; files they name
// are relative to the folder of `file`.
void add_configuration(Flags& flags, std::string_view text, const std::filesystem::path& file,
                       Owner owner);

// The flags of the command with the configuration behind them: those that are not about the task
// (store, quiet, …) are filled in here, the others through `defaults` when the task is known.
Flags configured(Flags flags, const CLI::App& command);

}  // namespace hone::app
