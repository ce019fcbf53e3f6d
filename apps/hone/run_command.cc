// hone run: a task from its first attempt to its stop.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/hone/assembly.h"
#include "apps/hone/commands.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/models.h"
#include "apps/hone/result.h"
#include "apps/hone/scene.h"
#include "apps/hone/store.h"
#include "apps/hone/stream.h"
#include "apps/hone/task_argument.h"
#include "apps/hone/view.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/journal/journal.h"
#include "hone/journal/recorder.h"
#include "hone/journal/run_id.h"
#include "hone/task/write.h"

namespace hone::app {
namespace {

core::LoopOptions loop_options(const task::TaskFile& file) {
  core::LoopOptions options;
  options.stop = file.stop;
  options.selection = file.select;
  options.at_once = file.at_once;
  return options;
}

journal::RunHeader header_of(const task::TaskFile& file, const core::ModelNames& models,
                             Scene& scene) {
  journal::RunHeader header;
  header.run = journal::new_run_id(scene.clock().now(), scene.random());
  header.hone_version = HONE_VERSION;
  header.task_name = file.task.name;
  header.task = task::to_json_text(file);
  header.options = {dump(Json{{"folder", file.folder.string()}})};
  header.models = models;
  header.seed = scene.seed();
  header.process = journal::this_process();
  header.started = scene.clock().now();
  return header;
}

// Runs the loop and waits until everything is on the disk.
async<void> run_into(core::Run& run, core::Context context, core::Task task, Assembly& assembly,
                     core::LoopOptions options, journal::Recording& recording) {
  run = co_await core::reflect(std::move(context), std::move(task), assembly.roles(),
                               std::move(options));
  co_await recording.close();
}

class RunCommand {
 public:
  explicit RunCommand(Flags flags) : flags_(std::move(flags)) {}

  int run(const std::string& argument) {
    task::TaskFile file = with_flags(task_of(argument), flags_);
    if (add_default_check(file) && !flags_.quiet) {
      fmt::print(stderr,
                 "warning     no check was given: a model judges the output, which is no outside "
                 "evidence\n");
    }
    Models models(flags_, file.folder);
    const auto make = [&](core::Role, const std::string& spec) { return models.make(spec); };
    // Everything that can be wrong with the configuration is found before the run begins.
    const core::ModelNames names = Assembly(file, {.make_model = make}).model_names();
    journal::Journal journal({.path = writable_store_path(flags_)});
    Scene scene(file.budget, flags_.seed);
    const journal::RunHeader header = header_of(file, names, scene);
    const auto recording = journal::Recording::record(journal, header);
    Assembly assembly(file, {.make_model = make, .recording = recording.get()});
    return finish({scene, file, assembly, *recording, header.started});
  }

 private:
  // One run and what it needs.
  struct Stage {
    Scene& scene;
    const task::TaskFile& file;
    Assembly& assembly;
    journal::Recording& recording;
    Instant started;
  };

  int finish(const Stage& stage) {
    core::Run run;
    try {
      play(run, stage);
    } catch (...) {
      // The journal failed: what the run came to is still worth having.
      const Error error = to_error(std::current_exception());
      if (flags_.json) fmt::print("{}\n", dump(core::to_json(error)));
      if (!flags_.json && !flags_.stream) print_output(run);
      tell(error);
      return error.kind() == ErrorKind::Cancelled ? kInterrupted : kFailure;
    }
    return print(run, stage.assembly.model_names());
  }

  void play(core::Run& run, const Stage& stage) {
    core::NoEvents nobody;
    Stream stream;
    core::EventSink& listener = flags_.stream ? static_cast<core::EventSink&>(stream) : nobody;
    std::optional<View> view;
    if (!flags_.quiet) view.emplace(Terminal::of_stderr(), listener);
    journal::Recorder recorder(stage.recording,
                               view ? static_cast<core::EventSink&>(*view) : listener);
    const core::Context context =
        stage.scene.context(stage.recording.run(), recorder, stage.scene.clock(), stage.started);
    EventLoop loop;
    loop.cancel_on_signals();
    loop.run([&] {
      return run_into(run, context, stage.file.task, stage.assembly, loop_options(stage.file),
                      stage.recording);
    });
  }

  int print(const core::Run& run, const core::ModelNames& models) {
    if (flags_.json) {
      print_json(run, models);
    } else if (!flags_.stream) {
      print_output(run);
    }
    if (run.stop->reason == core::StopReason::Error) {
      fmt::print(stderr, "hone: {}\n", run.stop->detail);
      if (!run.stop->hint.empty()) fmt::print(stderr, "      {}\n", run.stop->hint);
    }
    if (!flags_.quiet) fmt::print(stderr, "run         {}  hone show {}\n", run.id, run.id);
    return exit_code_of(run);
  }

  Flags flags_;
};

}  // namespace

void add_run_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("run", "Run a task until its checks pass");
  command->footer(
      "Example:\n"
      "  hone run examples/order/task.yaml -m scripted:examples/order/script.yaml\n"
      "  hone run \"Name a prime above 90\" --regex '^9[0-9]$' -m 'command:echo 97'");
  const auto flags = std::make_shared<Flags>();
  const auto argument = std::make_shared<std::string>();
  command->add_option("TASK", *argument, "Task file, prompt in words, or - for stdin")->required();
  add_model_flags(*command, *flags);
  add_task_flags(*command, *flags);
  add_store_flag(*command, *flags);
  add_output_flags(*command, *flags);
  command->add_flag("--stream", flags->stream, "Print events as JSON lines")
      ->envname("HONE_STREAM");
  command->callback([=, &chosen] { chosen = [=] { return RunCommand(*flags).run(*argument); }; });
}

}  // namespace hone::app
