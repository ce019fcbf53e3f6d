// hone revise: one revision of a given output, and the better one of the two.
#include <CLI/CLI.hpp>
#include <memory>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/data_file.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/perform.h"
#include "apps/hone/store.h"
#include "apps/hone/task_argument.h"

namespace hone::app {
namespace {

// The given output is the first attempt; the revision, if the first one fails, is the second.
constexpr int kAttempts = 2;

int revise(const std::string& argument, const std::string& output_file, const Flags& flags) {
  task::TaskFile file = with_flags(task_of(argument), flags);
  file.stop.attempts = kAttempts;
  add_default_check_aloud(file, flags);
  LiveOptions options = live_options(flags);
  options.run.given = read_file_or_stdin(output_file, "--output");
  Models models(flags, file.folder);
  check_models(file, models, options);
  LessonMemory lessons(file.lessons, flags);
  options.memory = &lessons.memory();
  journal::Journal journal(journal_options(flags));
  LiveRun live(file, models, journal, options);
  const int code = perform(live, flags);
  lessons.tell_notes(flags);
  return code;
}

}  // namespace

void add_revise_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "revise", "Evaluate a given output, revise it once, and print the better one");
  command->footer(
      "Example:\n"
      "  hone revise \"Write hello in lower case\" --output examples/hello.txt --regex '^hello$' "
      "-m 'command:echo hello'");
  const auto flags = std::make_shared<Flags>();
  const auto argument = std::make_shared<std::string>();
  const auto output = std::make_shared<std::string>();
  command->add_option("TASK", *argument, "Task file, or prompt in words")->required();
  command->add_option("--output", *output, "File that holds the output, or - for stdin")
      ->type_name("FILE")
      ->required();
  add_model_flags(*command, *flags);
  add_task_flags(*command, *flags);
  add_keeping_flags(*command, *flags);
  add_output_flags(*command, *flags);
  add_stream_flag(*command, *flags);
  command->callback([=, &chosen] {
    chosen = [=] { return revise(*argument, *output, configured(*flags, *command)); };
  });
}

}  // namespace hone::app
