// The command `hone`: reads the command line, runs one command, turns failures into exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "apps/hone/commands.h"
#include "apps/hone/exit_code.h"
#include "hone/base/text.h"

namespace hone::app {
namespace {

// Commands that the documentation of later versions names.
constexpr std::array kLater{"flow"};

constexpr const char* kExamples = R"(Example:
  hone run examples/order/task.yaml -m scripted:examples/order/script.yaml
)";

void add_commands(CLI::App& app, Action& chosen) {
  add_run_command(app, chosen);
  add_eval_command(app, chosen);
  add_revise_command(app, chosen);
  add_prompt_command(app, chosen);
  add_list_command(app, chosen);
  add_show_command(app, chosen);
  add_diff_command(app, chosen);
  add_resume_command(app, chosen);
  add_replay_command(app, chosen);
  add_fork_command(app, chosen);
  add_export_command(app, chosen);
  add_import_command(app, chosen);
  add_rm_command(app, chosen);
  add_prune_command(app, chosen);
  add_lessons_command(app, chosen);
  add_models_command(app, chosen);
  add_doctor_command(app, chosen);
  add_init_command(app, chosen);
  add_schema_command(app, chosen);
  add_bench_command(app, chosen);
  add_completion_command(app, chosen);
  add_man_command(app, chosen);
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// Checked before CLI11 does, whose message would not say what to try.
void refuse_unknown_command(const CLI::App& app, int count, char** arguments) {
  if (count < 2 || arguments[1][0] == '-') return;
  const std::string word = arguments[1];
  const std::vector<std::string> names = names_of(app);
  if (std::ranges::find(names, word) != names.end()) return;
  if (std::ranges::find(kLater, word) != kLater.end()) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`hone {}` is not in this version", word),
                "see `hone --help` for what is");
  }
  const auto meant = nearest(word, names);
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is not a command of hone", word),
              meant ? fmt::format("did you mean `hone {}`?", *meant) : "see `hone --help`");
}

int run(int count, char** arguments) {
  CLI::App app{"Runs a task through attempts until its checks pass, and returns the best attempt."};
  app.name("hone");
  app.set_version_flag("--version", "hone " HONE_VERSION);
  app.footer(kExamples);
  app.require_subcommand(1);
  Action chosen;
  add_commands(app, chosen);
  try {
    refuse_unknown_command(app, count, arguments);
    app.parse(count, arguments);
    return chosen();
  } catch (const CLI::Success& done) {
    return app.exit(done);  // --help and --version
  } catch (const CLI::ParseError& wrong) {
    std::string message = wrong.what();
    std::ranges::replace(message, '\n', ' ');
    fmt::print(stderr, "hone: {}\n      see `hone {} --help`\n", trim(message),
               count > 1 && arguments[1][0] != '-' ? arguments[1] : "");
    return kUsage;
  } catch (...) {
    const Error error = to_error(std::current_exception());
    tell(error);
    return exit_code_of(error);
  }
}

}  // namespace
}  // namespace hone::app

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // A reader that goes away is an error of the write.
  std::signal(SIGCHLD, SIG_DFL);  // A parent that ignored it would hide how checks end.
  return hone::app::run(count, arguments);
}
