// hone run: a task from its first attempt to its stop, or one run for each line of a file.
#include <CLI/CLI.hpp>
#include <memory>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/each.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/perform.h"
#include "apps/hone/store.h"
#include "apps/hone/task_argument.h"

namespace hone::app {
namespace {

int run(const std::string& argument, const Flags& flags) {
  if (!flags.each.empty()) return run_each(argument, flags);
  task::TaskFile file = with_flags(task_of(argument), flags);
  add_default_check_aloud(file, flags);
  Models models(flags, file.folder);
  LiveOptions options = live_options(flags);
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

void add_run_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("run", "Run a task until its checks pass");
  command->footer(
      "Example:\n"
      "  hone run examples/order/task.yaml -m scripted:examples/order/script.yaml\n"
      "  hone run \"Name a prime above 90\" --regex '^9[0-9]$' -m 'command:echo 97'\n"
      "  hone run \"Say {{ input.word }} now\" --each examples/words.jsonl -j 2 -m command:cat "
      "--regex now");
  const auto flags = std::make_shared<Flags>();
  const auto argument = std::make_shared<std::string>();
  command->add_option("TASK", *argument, "Task file, prompt in words, or - for stdin")->required();
  add_model_flags(*command, *flags);
  add_attempts_flag(*command, *flags);
  add_task_flags(*command, *flags);
  add_each_flags(*command, *flags);
  add_keeping_flags(*command, *flags);
  add_output_flags(*command, *flags);
  add_stream_flag(*command, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return run(*argument, configured(*flags, *command)); }; });
}

}  // namespace hone::app
