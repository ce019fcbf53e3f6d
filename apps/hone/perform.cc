#include "apps/hone/perform.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "apps/hone/exit_code.h"
#include "apps/hone/result.h"
#include "apps/hone/stream.h"
#include "apps/hone/task_argument.h"
#include "apps/hone/view.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"

namespace hone::app {
namespace {

void play(core::Run& run, LiveRun& live, const Flags& flags) {
  core::NoEvents nobody;
  Stream stream(live.task());
  core::EventSink& listener = flags.stream ? static_cast<core::EventSink&>(stream) : nobody;
  std::optional<View> view;
  Terminal terminal = Terminal::of_stderr();
  // Events on the same terminal would be written into the living line.
  if (flags.stream && Terminal::of_stdout().is_terminal) terminal.is_terminal = false;
  if (!flags.quiet) view.emplace(terminal, listener);
  core::EventSink& first = view ? static_cast<core::EventSink&>(*view) : listener;
  EventLoop loop;
  loop.cancel_on_signals();
  loop.run([&] { return live.play(run, first); });
}

// The journal failed: what the run came to is still worth having.
int tell_failure(const Error& error, const core::Run& run, const Flags& flags) {
  if (flags.json) fmt::print("{}\n", dump(core::to_json(error)));
  if (!flags.json && !flags.stream) print_output(run);
  tell(error);
  return error.kind() == ErrorKind::Cancelled ? kInterrupted : kFailure;
}

int print(const core::Run& run, const core::ModelNames& models, const Flags& flags) {
  if (flags.json) {
    print_json(run, models);
  } else if (!flags.stream) {
    print_output(run);
  }
  if (run.stop->reason == core::StopReason::Error) {
    fmt::print(stderr, "hone: {}\n", run.stop->detail);
    if (!run.stop->hint.empty()) fmt::print(stderr, "      {}\n", run.stop->hint);
  }
  if (!flags.quiet) fmt::print(stderr, "run         {}  hone show {}\n", run.id, run.id);
  return exit_code_of(run);
}

}  // namespace

int perform(LiveRun& live, const Flags& flags) {
  core::Run run;
  try {
    play(run, live, flags);
  } catch (...) {
    return tell_failure(to_error(std::current_exception()), run, flags);
  }
  return print(run, live.model_names(), flags);
}

void add_default_check_aloud(task::TaskFile& file, const Flags& flags) {
  if (!add_default_check(file) || flags.quiet) return;
  fmt::print(stderr,
             "warning     no check was given: a model judges the output, which is no outside "
             "evidence\n");
}

}  // namespace hone::app
