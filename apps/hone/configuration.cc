#include "apps/hone/configuration.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "apps/hone/configuration_keys.h"
#include "hone/base/error.h"
#include "hone/model/text_file.h"
#include "hone/yaml/field.h"
#include "hone/yaml/parse.h"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

fs::path from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

bool is_there(const fs::path& path) {
  std::error_code failure;
  return !path.empty() && fs::exists(path, failure);
}

void read_file(Configuration& configuration, const fs::path& file, Owner owner) {
  if (!is_there(file)) return;
  std::string text;
  try {
    text = model::read_text_file(file.string());
  } catch (Error& failure) {
    throw failure.while_doing("reading the configuration");
  }
  add_configuration(configuration.flags, text, file, owner);
  configuration.files.push_back(file);
}

// Whether the flag or its twin in the environment was given.
bool is_given(const CLI::App& command, const std::string& flag) {
  const CLI::Option* option = command.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

}  // namespace

fs::path user_configuration() {
  // The XDG specification wants relative paths ignored.
  if (const fs::path home = from_environment("XDG_CONFIG_HOME"); home.is_absolute()) {
    return home / "hone" / "config.yaml";
  }
  const fs::path home = from_environment("HOME");
  return home.empty() ? fs::path() : home / ".config" / "hone" / "config.yaml";
}

fs::path project_configuration() {
  std::error_code failure;
  fs::path folder = fs::current_path(failure);
  while (!failure && !folder.empty()) {
    if (is_there(folder / ".hone.yaml")) return folder / ".hone.yaml";
    if (is_there(folder / ".git") || folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

Configuration read_configuration() {
  Configuration configuration;
  read_file(configuration, user_configuration(), Owner::User);
  read_file(configuration, project_configuration(), Owner::Project);
  return configuration;
}

void add_configuration(Flags& flags, std::string_view text, const fs::path& file, Owner owner) {
  const std::string name = file.string();
  const yaml::Document document = yaml::parse(text, name);
  if (document.root.is_null()) return;
  read_keys(flags, yaml::Field(document), {file.parent_path(), owner});
}

Flags configured(Flags flags, const CLI::App& command) {
  const auto defaults = std::make_shared<const Flags>(read_configuration().flags);
  if (flags.store.empty()) flags.store = defaults->store;
  if (flags.lessons_dir.empty()) flags.lessons_dir = defaults->lessons_dir;
  if (flags.seal.empty()) flags.seal = defaults->seal;
  if (flags.seal_key_file.empty()) flags.seal_key_file = defaults->seal_key_file;
  if (flags.redact.empty()) flags.redact = defaults->redact;
  if (!flags.jobs) flags.jobs = defaults->jobs;
  if (!is_given(command, "--quiet")) flags.quiet = defaults->quiet;
  if (!is_given(command, "--verbose")) flags.verbose = defaults->verbose;
  if (!is_given(command, "--no-lessons")) flags.no_lessons = defaults->no_lessons;
  flags.defaults = defaults;
  return flags;
}

}  // namespace hone::app
