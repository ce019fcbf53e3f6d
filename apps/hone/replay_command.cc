// hone replay: a recorded run once more, without a call.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/hone/assembly.h"
#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/result.h"
#include "apps/hone/scene.h"
#include "apps/hone/store.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/recorded_memory.h"
#include "hone/journal/recorder.h"
#include "hone/journal/run_store.h"
#include "hone/task/write.h"

namespace hone::app {
namespace {

async<void> replay_into(core::Run& run, core::Context context, core::Task task, core::Roles roles,
                        core::LoopOptions options, journal::Recording& recording) {
  run = co_await core::reflect(std::move(context), std::move(task), roles, std::move(options));
  co_await recording.close();
}

task::TaskFile task_of(const journal::RecordedRun& recorded, const Json& options) {
  const core::Run past = journal::fold(recorded);
  return task::from_json_text(recorded.header.task, options.value("folder", std::string()),
                              past.task);
}

// The output that the run was given to revise, if it was.
std::optional<std::string> given_in(const Json& options) {
  const auto given = options.find("given");
  return given == options.end() ? std::nullopt : std::optional(given->get<std::string>());
}

int replay(const std::string& id, const Flags& flags) {
  journal::RunStore store(store_path(flags));
  const std::string whole_id = store.find_run(id).run;
  journal::RecordedRun recorded = store.recorded(whole_id);
  const Json header_options = parse_json(recorded.header.options.text);
  const task::TaskFile file = task_of(recorded, header_options);
  journal::RecordedMemory memory(journal::fold(recorded));
  const core::ModelNames names = recorded.header.models;
  const auto seed = recorded.header.seed;
  const Instant started = recorded.header.started;
  const auto recording = journal::Recording::replay(std::move(recorded));
  const auto absent = [&names](core::Role role, const std::string& spec) {
    const auto recorded_name = names.find(role);
    return std::make_unique<journal::AbsentModel>(
        recorded_name == names.end() ? spec : recorded_name->second);
  };
  Assembly assembly(file, {.make_model = absent,
                           .recording = recording.get(),
                           .given = given_in(header_options),
                           .memory = &memory});
  core::NoEvents nobody;
  journal::Recorder recorder(*recording, nobody);
  journal::ReplayClock clock(*recording);
  Scene scene(file.budget, seed);
  const core::LoopOptions options = loop_options(file);
  core::Run run;
  const core::Context context = scene.context(whole_id, recorder, clock, started);
  run_sync(
      [&] { return replay_into(run, context, file.task, assembly.roles(), options, *recording); });
  if (flags.json) {
    print_json(run, names);
  } else {
    print_output(run);
  }
  return exit_code_of(run);
}

}  // namespace

void add_replay_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("replay", "Run a recorded run again, offline: no call is made");
  command->footer(
      "Example:\n  hone list --json | grep -q '\\[\\]' || hone replay $(hone list | head -1 | cut "
      "-c1-16)");
  const auto flags = std::make_shared<Flags>();
  const auto id = std::make_shared<std::string>();
  add_recorded_run(*command, *id, *flags);
  command->callback([=, &chosen] {
    chosen = [=] {
      try {
        return replay(*id, configured(*flags, *command));
      } catch (const Error& error) {
        tell(error);
        return error.kind() == ErrorKind::NotFound ? kUsage : kFailure;
      }
    };
  });
}

}  // namespace hone::app
