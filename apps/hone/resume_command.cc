// hone resume: goes on with runs that were interrupted.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/perform.h"
#include "apps/hone/store.h"
#include "hone/base/error.h"
#include "hone/journal/recorded_memory.h"
#include "hone/journal/run_store.h"

namespace hone::app {
namespace {

struct Asked {
  std::string run;
  bool all = false;
  std::string decision;
};

Error usage(std::string message, std::string hint) {
  return {ErrorKind::InvalidInput, std::move(message), std::move(hint)};
}

void check_resumable(const journal::RunLine& line) {
  if (line.state == journal::State::Running) {
    throw usage(fmt::format("run {} goes on already, in process {} on {}", line.run,
                            line.process.id, line.process.host),
                "wait for it, or end that process first");
  }
  const bool failed = line.stop == core::StopReason::Error;
  if (line.state != journal::State::Finished || failed) return;
  throw usage(fmt::format("run {} is finished ({}): there is nothing left to do", line.run,
                          line.stop ? core::to_string(*line.stop) : "done"),
              fmt::format("see `hone show {0}`; `hone fork {0} --at N` goes another way from there",
                          line.run));
}

// The run that a fork leaves, if it is still there.
std::optional<journal::RecordedRun> original_of(const RunOptions& options, journal::RunStore& store,
                                                const Flags& flags) {
  if (!options.fork) return std::nullopt;
  try {
    journal::RecordedRun original = store.recorded(options.fork->run);
    unseal_to_go_on(original, flags);
    return original;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::NotFound) return std::nullopt;
    throw;
  }
}

int resume(const journal::RunLine& line, journal::RunStore& store, const std::string& path,
           const Flags& given) {
  check_resumable(line);
  journal::RecordedRun past = store.recorded(line.run);
  unseal_to_go_on(past, given);
  LiveOptions options{.seed = past.header.seed, .run = run_options_in(past.header)};
  enter_folder_of(options.run, line.run);
  const Flags flags = with_recorded(given, options.run);
  const task::TaskFile file = task_in(past);
  Models models(flags, file.folder);
  check_models(file, models, options);
  journal::Journal journal(journal_options(flags, path));
  options.original = original_of(options.run, store, flags);
  LessonMemory lessons(file.lessons, flags, journal::recalls_of(past));
  options.memory = &lessons.memory();
  LiveRun live(std::move(past), models, journal, std::move(options));
  const int code = perform(live, flags);
  lessons.tell_notes(flags);
  return code;
}

int resume_all(journal::RunStore& store, const std::string& path, const Flags& flags) {
  std::vector<journal::RunLine> lines = store.list();
  std::erase_if(lines, [](const journal::RunLine& line) {
    return line.state != journal::State::Interrupted;
  });
  std::ranges::reverse(lines);
  if (lines.empty() && !flags.quiet) fmt::print(stderr, "resume      no run was interrupted\n");
  int worst = kDone;
  for (const journal::RunLine& line : lines) {
    try {
      worst = worse(worst, resume(line, store, path, flags));
    } catch (const Error& error) {
      tell(error);
      worst = worse(worst, kFailure);
    }
    if (worst == kInterrupted) break;
  }
  return worst;
}

int resume(const Asked& asked, const Flags& flags) {
  if (!asked.decision.empty()) {
    throw usage("--decide is not in this version", "no run waits for a person yet");
  }
  if (asked.all != asked.run.empty()) {
    throw usage("`hone resume` takes a run, or --all", "see `hone list` for what was interrupted");
  }
  // Absolute, for the folder changes.
  const std::string path = std::filesystem::absolute(writable_store_path(flags)).string();
  journal::RunStore store(path);
  if (asked.all) return resume_all(store, path, flags);
  return resume(store.find_run(asked.run), store, path, flags);
}

}  // namespace

void add_resume_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("resume", "Go on with a run that was interrupted, or with all of them");
  command->footer("Example:\n  hone resume --all");
  const auto flags = std::make_shared<Flags>();
  const auto asked = std::make_shared<Asked>();
  command->add_option("RUN", asked->run, "Id of the run, or how it begins");
  command->add_flag("--all", asked->all, "All runs that were interrupted, the oldest first");
  command->add_option("--decide", asked->decision, "")->group("");
  add_access_flags(*command, *flags);
  add_store_flag(*command, *flags);
  add_seal_flags(*command, *flags);
  add_output_flags(*command, *flags);
  add_stream_flag(*command, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return resume(*asked, configured(*flags, *command)); }; });
}

}  // namespace hone::app
