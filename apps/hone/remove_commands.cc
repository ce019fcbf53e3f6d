// hone rm, hone prune: runs that are not wanted any more.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/store.h"
#include "hone/async/clock.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/journal/housekeeping.h"
#include "hone/journal/run_store.h"

namespace hone::app {
namespace {

// Of what was, or would be, removed.
void print(const std::vector<journal::RunLine>& lines, const Flags& flags) {
  if (flags.json) {
    Json rows = Json::array();
    for (const journal::RunLine& line : lines) rows.push_back(journal::to_json(line));
    fmt::print("{}\n", dump_pretty(rows));
    return;
  }
  for (const journal::RunLine& line : lines) {
    fmt::print("{}  {:.19}  {}\n", line.run, to_iso8601(line.started), one_line(line.task, 40));
  }
}

void tell_removal(const journal::Removal& removal) {
  fmt::print(stderr, "removed     {} run{}, {} KiB of the disk\n", removal.runs,
             removal.runs == 1 ? "" : "s", removal.bytes / 1024);
  if (!removal.kept_texts) return;
  fmt::print(stderr, "            a run goes on: what is left of their texts goes with the next\n");
}

int remove(const std::vector<journal::RunLine>& lines, const Flags& flags) {
  std::vector<std::string> ids;
  for (const journal::RunLine& line : lines) ids.push_back(line.run);
  journal::Removal removal;
  if (!ids.empty()) removal = journal::remove_runs(store_path(flags), ids);
  print(lines, flags);
  if (!flags.quiet) tell_removal(removal);
  return kDone;
}

int remove_named(const std::vector<std::string>& asked, const Flags& flags) {
  journal::RunStore store(store_path(flags));
  std::vector<journal::RunLine> lines;
  for (const std::string& id : asked) lines.push_back(store.find_run(id));
  return remove(lines, flags);
}

bool is_over(const journal::RunLine& line) {
  return line.state == journal::State::Finished || line.state == journal::State::Interrupted;
}

int prune(const std::string& age, bool dry, const Flags& flags) {
  SystemClock clock;
  const Instant before = clock.now() - parse_duration(age);
  std::vector<journal::RunLine> lines = journal::RunStore(store_path(flags)).list();
  std::erase_if(lines, [&](const journal::RunLine& line) {
    return line.finished.value_or(line.started) >= before || !is_over(line);
  });
  if (!dry) return remove(lines, flags);
  print(lines, flags);
  return kDone;
}

}  // namespace

void add_rm_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("rm", "Remove runs from the store");
  command->footer(
      "Example:\n  hone run \"Say hello now\" -m 'command:echo hello' --regex hello && hone rm "
      "$(hone list | head -1 | cut -c1-16)");
  const auto flags = std::make_shared<Flags>();
  const auto ids = std::make_shared<std::vector<std::string>>();
  command->add_option("RUN", *ids, "Ids of runs, or how they begin")->required();
  add_store_flag(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return remove_named(*ids, configured(*flags, *command)); }; });
}

void add_prune_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("prune", "Remove the runs that ended long ago");
  command->footer("Example:\n  hone prune --older-than 90d");
  const auto flags = std::make_shared<Flags>();
  const auto age = std::make_shared<std::string>();
  const auto dry = std::make_shared<bool>(false);
  command->add_option("--older-than", *age, "Age from which runs go, such as 30d or 12h")
      ->type_name("AGE")
      ->required();
  command->add_flag("--dry-run", *dry, "Only list them");
  add_store_flag(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return prune(*age, *dry, configured(*flags, *command)); }; });
}

}  // namespace hone::app
