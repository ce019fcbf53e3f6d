// hone completion, hone man: what the command says of itself, for shells and for man(1).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/hone/command_words.h"
#include "apps/hone/commands.h"
#include "apps/hone/completion.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/manual.h"
#include "hone/base/error.h"

namespace hone::app {
namespace {

std::string completion_for(const std::string& shell, const CommandWords& words) {
  if (shell == "bash") return bash_completion(words);
  if (shell == "zsh") return zsh_completion(words);
  if (shell == "fish") return fish_completion(words);
  throw Error(ErrorKind::InvalidInput, fmt::format("there is no completion for `{}`", shell),
              "use bash, zsh or fish");
}

}  // namespace

void add_completion_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("completion", "Print the completion script of a shell");
  command->footer("Example:\n  hone completion bash");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->callback([=, &app, &chosen] {
    chosen = [=, &app] {
      fmt::print("{}", completion_for(*shell, words_of(app)));
      return kDone;
    };
  });
}

void add_man_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page, for man -l -");
  command->footer("Example:\n  hone man");
  command->callback([&app, &chosen] {
    chosen = [&app] {
      fmt::print("{}", manual(words_of(app)));
      return kDone;
    };
  });
}

}  // namespace hone::app
