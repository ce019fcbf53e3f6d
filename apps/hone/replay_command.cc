// hone replay: a recorded run once more, without a call.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/branch.h"
#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/replay.h"
#include "apps/hone/result.h"
#include "apps/hone/store.h"
#include "apps/hone/task_argument.h"
#include "hone/base/error.h"
#include "hone/journal/difference.h"
#include "hone/journal/run_store.h"
#include "hone/task/write.h"

namespace hone::app {
namespace {

struct Asked {
  std::string run;
  std::string task;
  std::string match = "request";
  bool allow_new = false;
};

task::TaskFile asked_task(const Asked& asked, const task::TaskFile& recorded, const Flags& flags) {
  if (asked.task.empty()) return changed_task(recorded, flags);
  task::TaskFile file = changed_task(task_of(asked.task), flags);
  add_default_check(file);
  return file;
}

// Where the task now differs from the recorded one; empty where it does not.
std::string changes(const task::TaskFile& recorded, const task::TaskFile& now) {
  return journal::difference(task::to_json_text(recorded).text, task::to_json_text(now).text);
}

std::string told_changes(const Asked& asked, const std::string& changes) {
  const std::string of = asked.task.empty() ? "the command line"
                                            : fmt::format("`{}` and the command line", asked.task);
  return fmt::format("options of the run were changed by {}:\n{}", of, changes);
}

Error with_changes(const Error& error, const Asked& asked, const std::string& changes) {
  if (changes.empty()) return error;
  return {error.kind(), fmt::format("{}\n{}", error.message(), told_changes(asked, changes)),
          "leave them out, or go on: `--match path` with the recorded answers, `--allow-new` with "
          "new ones"};
}

int fail(const Error& error, const Flags& flags) {
  if (flags.json) fmt::print("{}\n", dump(core::to_json(error)));
  tell(error);
  return kFailure;
}

int print(const core::Run& run, const core::ModelNames& models, const Flags& flags) {
  if (flags.json) {
    print_json(run, models);
  } else {
    print_output(run);
  }
  return exit_code_of(run);
}

int go_on_live(const Asked& asked, const Error& error, Replay replay, const Flags& flags) {
  if (!flags.quiet) {
    fmt::print(stderr, "replay      {}\nreplay      goes on live, as a run of its own\n",
               error.message());
  }
  unseal_to_go_on(replay.recorded, flags);
  const std::string of = replay.recorded.header.run;
  const ForkOrigin origin{.run = of, .at = 0, .guidance = {}};
  (void)asked;
  return play_branch({std::move(replay.recorded), std::move(replay.file), origin}, flags);
}

int replay(const Asked& asked, const Flags& flags) {
  if (asked.allow_new && asked.match == "path") {
    throw Error(ErrorKind::InvalidInput,
                "--match path takes the recorded answers, --allow-new makes new ones",
                "leave out one of the two");
  }
  journal::RunStore store(store_path(flags));
  const std::string id = store.find_run(asked.run).run;
  Replay replay;
  replay.recorded = store.recorded(id);
  unseal_aloud(replay.recorded, flags);
  const task::TaskFile recorded = task_in(replay.recorded);
  replay.file = asked_task(asked, recorded, flags);
  const std::string changed = changes(recorded, replay.file);
  const bool by_path = asked.match == "path";
  if (by_path) replay.match = journal::Match::Path;
  core::Run run;
  try {
    run = play(replay);
  } catch (const Error& error) {
    if (asked.allow_new) return go_on_live(asked, error, std::move(replay), flags);
    return fail(with_changes(error, asked, changed), flags);
  }
  if (changed.empty() || by_path || asked.allow_new) {
    return print(run, replay.recorded.header.models, flags);
  }
  const Error error(ErrorKind::InvalidInput, "no request of the run is another one, but");
  return fail(with_changes(error, asked, changed), flags);
}

}  // namespace

void add_replay_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("replay", "Run a recorded run again, offline: no call is made");
  command->footer(
      "Example:\n  hone list --json | grep -q '\\[\\]' || hone replay $(hone list | head -1 | cut "
      "-c1-16)");
  const auto flags = std::make_shared<Flags>();
  const auto asked = std::make_shared<Asked>();
  add_change_flags(*command, *flags);
  add_recorded_run(*command, asked->run, *flags);
  add_seal_flags(*command, *flags);
  command->add_option("--task", asked->task, "Compare with this task file as it is now")
      ->type_name("FILE");
  command
      ->add_option("--match", asked->match,
                   "What has to be as recorded: request (default), or path, the place in the run")
      ->check(CLI::IsMember({"request", "path"}));
  command->add_flag("--allow-new", asked->allow_new,
                    "Go on live, as a run of its own, where the record does not fit");
  command->callback(
      [=, &chosen] { chosen = [=] { return replay(*asked, configured(*flags, *command)); }; });
}

}  // namespace hone::app
