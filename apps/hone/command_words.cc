#include "apps/hone/command_words.h"

#include <CLI/CLI.hpp>

namespace hone::app {
namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// What stands for the value, without the range that CLI11 adds: "N:INT in [1 - 1024]" is "N".
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find_first_of(": "));
}

}  // namespace

CommandWords words_of(const CLI::App& app) {
  CommandWords words{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      words.arguments.push_back(
          {option->get_name(true), option->get_description(), option->get_required()});
    } else {
      words.options.push_back(
          {names_of(*option), value_of(*option), option->get_description(), option->get_envname()});
    }
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    words.commands.push_back(words_of(*command));
  }
  return words;
}

}  // namespace hone::app
