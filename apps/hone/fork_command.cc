// hone fork: a recorded run up to an attempt, and then another way.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "apps/hone/branch.h"
#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/store.h"
#include "hone/base/error.h"
#include "hone/journal/run_store.h"

namespace hone::app {
namespace {

struct Asked {
  std::string run;
  int at = 0;
  std::string guidance;
};

void check_place(const Asked& asked, const core::Run& run) {
  const int last = run.next_number();
  if (asked.at >= 1 && asked.at <= last) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("run {} has {} attempt{}: it can be forked before attempt {}, not {}",
                          run.id, last - 1, last == 2 ? "" : "s",
                          last == 1 ? "1" : fmt::format("1 to {}", last), asked.at),
              fmt::format("see `hone show {}`", run.id));
}

bool passed_before(const core::Run& run, int at) {
  return std::ranges::any_of(run.attempts, [at](const core::Attempt& attempt) {
    return attempt.number < at && attempt.evaluation.outcome == core::Outcome::Passed;
  });
}

int fork(const Asked& asked, const Flags& flags) {
  journal::RunStore store(store_path(flags));
  const std::string id = store.find_run(asked.run).run;
  Branch branch;
  branch.original = store.recorded(id);
  unseal_to_go_on(branch.original, flags);
  const core::Run run = journal::fold(branch.original);
  check_place(asked, run);
  branch.origin = {id, asked.at, asked.guidance, passed_before(run, asked.at)};
  branch.file = changed_task(task_in(branch.original), flags);
  branch.file.stop.attempts = std::max(branch.file.stop.attempts, asked.at);
  return play_branch(std::move(branch), flags);
}

}  // namespace

void add_fork_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "fork", "Keep a run up to an attempt, free of cost, and go on another way from there");
  command->footer(
      "Example:\n  hone list --json | grep -q '\\[\\]' || hone fork $(hone list | head -1 | cut "
      "-c1-16) --at 1 -m 'command:echo hello'");
  const auto flags = std::make_shared<Flags>();
  const auto asked = std::make_shared<Asked>();
  add_change_flags(*command, *flags);
  add_recorded_run(*command, asked->run, *flags);
  add_seal_flags(*command, *flags);
  command->add_option("--at", asked->at, "The first attempt that is made anew")->required();
  command->add_option("--guidance", asked->guidance, "What you add to the task from there on")
      ->type_name("TEXT");
  add_stream_flag(*command, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return fork(*asked, configured(*flags, *command)); }; });
}

}  // namespace hone::app
