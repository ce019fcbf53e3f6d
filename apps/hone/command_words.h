// The command line as a value: what completions and the manual are made of, so that they cannot say
// anything else than the command does.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hone::app {

struct OptionWords {
  std::vector<std::string> names;  // "-m", "--model".
  std::string value;               // "FILE"; empty for a switch.
  std::string description;
  std::string environment;  // "HONE_MODEL"; empty without a twin.
};

struct ArgumentWords {
  std::string name;  // "TASK"
  std::string description;
  bool required = false;
};

struct CommandWords {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionWords> options;
  std::vector<ArgumentWords> arguments;
  std::vector<CommandWords> commands;
};

// Options that are hidden from --help are left out.
CommandWords words_of(const CLI::App& app);

}  // namespace hone::app
