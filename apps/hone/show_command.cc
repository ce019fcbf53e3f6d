// hone list, hone show: the runs of the store.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/result.h"
#include "apps/hone/store.h"
#include "hone/base/text.h"
#include "hone/core/transcript.h"
#include "hone/journal/originals.h"
#include "hone/journal/run_store.h"

namespace hone::app {
namespace {

int list(const Flags& flags) {
  journal::RunStore store(store_path(flags));
  const auto lines = store.list();
  if (flags.json) {
    Json rows = Json::array();
    for (const journal::RunLine& line : lines) rows.push_back(journal::to_json(line));
    fmt::print("{}\n", dump_pretty(rows));
    return kDone;
  }
  if (lines.empty()) fmt::print(stderr, "no runs yet; `hone run` makes one\n");
  for (const journal::RunLine& line : lines) {
    const std::string stop = line.stop ? std::string(core::to_string(*line.stop)) : "";
    fmt::print("{}  {:<11}  {:<12}  {:.19}  {}\n", line.run, journal::to_string(line.state), stop,
               to_iso8601(line.started), one_line(line.task, 40));
  }
  return kDone;
}

// "redacted    3 places: EMAIL 2, OPENAI_KEY 1"; empty if there is nothing to tell.
std::string redacted_line(const journal::RecordedRun& recorded) {
  const journal::Redacted redacted = journal::redacted_in(recorded);
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : redacted.originals) {
    kinds.push_back(fmt::format("{} {}", kind, count));
  }
  if (kinds.empty()) return {};
  return fmt::format("{:<12}{} in {} place{}\n", "redacted", join(kinds, ", "), redacted.places,
                     redacted.places == 1 ? "" : "s");
}

int show(const std::string& id, const Flags& flags) {
  journal::RunStore store(store_path(flags));
  const journal::RunLine line = store.find_run(id);
  const journal::RecordedRun recorded = store.recorded(line.run);
  const core::Run run = journal::fold(recorded);
  if (flags.json) {
    print_json(run, recorded.header.models);
    return kDone;
  }
  fmt::print("run         {}  {}\n", line.run, journal::to_string(line.state));
  fmt::print("{}", redacted_line(recorded));
  for (const std::string& path : recorded.again) {
    fmt::print("again       {}  under way when the run was interrupted\n", path);
  }
  fmt::print("{}", core::transcript(run, {.whole = flags.verbose}));
  return kDone;
}

}  // namespace

void add_list_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("list", "List the runs, the latest first");
  command->footer("Example:\n  hone list");
  const auto flags = std::make_shared<Flags>();
  add_store_flag(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback([=, &chosen] { chosen = [=] { return list(configured(*flags, *command)); }; });
}

void add_show_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("show", "Show a run as a transcript");
  command->footer(
      "Example:\n  hone list --json | grep -q '\\[\\]' || hone show $(hone list | head -1 | cut "
      "-c1-16)");
  const auto flags = std::make_shared<Flags>();
  const auto id = std::make_shared<std::string>();
  add_recorded_run(*command, *id, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return show(*id, configured(*flags, *command)); }; });
}

}  // namespace hone::app
