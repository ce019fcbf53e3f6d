#include "apps/hone/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "hone/base/text.h"

namespace hone::app {
namespace {

constexpr std::string_view kRuns = "hone list 2>/dev/null | cut -d' ' -f1";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// In single quotes of a shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", R"('\'')") + "'"; }

std::string option_names(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return join(names, " ");
}

std::string command_names(const CommandWords& command) {
  std::vector<std::string> names;
  for (const CommandWords& each : command.commands) names.push_back(each.name);
  return join(names, " ");
}

bool names_a_run(const CommandWords& command) {
  return std::ranges::any_of(command.arguments,
                             [](const ArgumentWords& argument) { return argument.name == "RUN"; });
}

// What follows options that take a value; `file` and `other` are what the shell does then.
std::string bash_values(const CommandWords& command) {
  std::vector<std::string> files;
  std::vector<std::string> others;
  for (const OptionWords& option : command.options) {
    if (option.value.empty()) continue;
    const bool is_file = option.value == "FILE" || option.value == "MODEL";
    auto& names = is_file ? files : others;
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  std::string text;
  if (!files.empty()) {
    text += fmt::format("        {}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n",
                        join(files, "|"));
  }
  if (!others.empty()) text += fmt::format("        {}) return ;;\n", join(others, "|"));
  return text;
}

std::string bash_case(const CommandWords& command) {
  std::string plain = "COMPREPLY=($(compgen -f -- \"$word\"))";
  if (names_a_run(command)) {
    plain = fmt::format("COMPREPLY=($(compgen -W \"$({})\" -- \"$word\"))", kRuns);
  } else if (!command.commands.empty()) {
    plain = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))", command_names(command));
  }
  const std::string values = bash_values(command);
  std::string text = fmt::format("    {})\n", command.name);
  if (!values.empty()) text += fmt::format("      case \"$before\" in\n{}      esac\n", values);
  return text + fmt::format(
                    "      case \"$word\" in\n"
                    "        -*) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n"
                    "        *) {} ;;\n"
                    "      esac ;;\n",
                    option_names(command), plain);
}

// A description inside the brackets of _arguments.
std::string zsh_text(const std::string& description) {
  return replaced(replaced(description, "[", "("), "]", ")");
}

std::string zsh_option(const OptionWords& option) {
  const std::string action = option.value == "FILE" || option.value == "MODEL" ? "_files" : " ";
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", lower(option.value), action);
  std::string text;
  for (const std::string& name : option.names) {
    text += " \\\n        " +
            quoted(fmt::format("*{}[{}]{}", name, zsh_text(option.description), value));
  }
  return text;
}

std::string zsh_case(const CommandWords& command) {
  std::string text = fmt::format("    {})\n      _arguments", command.name);
  for (const OptionWords& option : command.options) text += zsh_option(option);
  const std::string rest = names_a_run(command) ? "*:run:_hone_runs"
                           : command.commands.empty()
                               ? "*:file:_files"
                               : fmt::format("1:command:({})", command_names(command));
  return text + " \\\n        " + quoted(rest) + " ;;\n";
}

std::string fish_option(const CommandWords& command, const OptionWords& option) {
  std::string text =
      fmt::format("complete -c hone -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) {
    text += option.value == "FILE" || option.value == "MODEL" ? " -r -F" : " -x";
  }
  return text + " -d " + quoted(replaced(option.description, "\\", "\\\\")) + "\n";
}

}  // namespace

std::string bash_completion(const CommandWords& hone) {
  std::string text =
      "# Completion of hone for bash, made by `hone completion bash`.\n"
      "_hone() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W \"{} {}\" -- \"$word\"))\n    return\n  fi\n",
                      command_names(hone), option_names(hone));
  text += "  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandWords& command : hone.commands) text += bash_case(command);
  return text + "  esac\n}\ncomplete -o filenames -F _hone hone\n";
}

std::string zsh_completion(const CommandWords& hone) {
  std::string text =
      "#compdef hone\n"
      "# Completion of hone for zsh, made by `hone completion zsh`.\n"
      "_hone_runs() {\n"
      "  local -a runs\n";
  text += fmt::format("  runs=(${{(f)\"$({})\"}})\n  compadd -a runs\n}}\n", kRuns);
  text += "_hone() {\n  local -a commands\n  commands=(\n";
  for (const CommandWords& command : hone.commands) {
    text += "    " + quoted(command.name + ":" + replaced(command.description, ":", "\\:")) + "\n";
  }
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const CommandWords& command : hone.commands) text += zsh_case(command);
  return text + "  esac\n}\n_hone \"$@\"\n";
}

std::string fish_completion(const CommandWords& hone) {
  std::string text = "# Completion of hone for fish, made by `hone completion fish`.\n";
  for (const CommandWords& command : hone.commands) {
    text += fmt::format("complete -c hone -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        quoted(command.description));
    for (const OptionWords& option : command.options) text += fish_option(command, option);
    if (names_a_run(command)) {
      text += fmt::format("complete -c hone -n '__fish_seen_subcommand_from {}' -f -a {}\n",
                          command.name, quoted("(hone list 2>/dev/null | string split -f1 ' ')"));
    }
    if (!command.commands.empty()) {
      text += fmt::format("complete -c hone -n '__fish_seen_subcommand_from {}' -f -a '{}'\n",
                          command.name, command_names(command));
    }
  }
  return text;
}

}  // namespace hone::app
