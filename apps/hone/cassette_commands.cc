// hone export, hone import: a run as a file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/data_file.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/store.h"
#include "hone/base/error.h"
#include "hone/journal/cassette.h"
#include "hone/journal/housekeeping.h"
#include "hone/journal/run_store.h"

namespace hone::app {
namespace {

void write_file(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) return;
  throw Error(ErrorKind::Unavailable, fmt::format("`{}` cannot be written", file),
              "look at the folder, its rights and the room on the disk");
}

int export_run(const std::string& id, const std::string& file, const Flags& flags) {
  journal::RunStore store(store_path(flags));
  const std::string run = store.find_run(id).run;
  const std::string text = journal::to_cassette(store.records(run));
  if (file.empty() || file == "-") {
    fmt::print("{}", text);
    return kDone;
  }
  write_file(file, text);
  if (!flags.quiet) fmt::print(stderr, "exported    {}  to {}\n", run, file);
  return kDone;
}

// Whether the store holds the same run already.
bool is_there(const std::string& path, std::span<const journal::Record> records) {
  journal::RunStore store(path);
  try {
    return journal::to_cassette(store.records(records.front().run)) ==
           journal::to_cassette(records);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::NotFound) return false;
    throw;
  }
}

int import_run(const std::string& file, const Flags& flags) {
  const std::string text = read_file_or_stdin(file, "FILE");
  const auto records = journal::from_cassette(text, file == "-" ? "stdin" : file);
  const std::string& run = records.front().run;
  const std::string path = writable_store_path(flags);
  const bool known = is_there(path, records);
  if (!known) journal::add_run(path, records);
  if (flags.json) {
    fmt::print("{}\n", dump(Json{{"format", 1}, {"run", run}, {"imported", !known}}));
    return kDone;
  }
  fmt::print("{}\n", run);
  if (known && !flags.quiet) fmt::print(stderr, "import      the store has this run already\n");
  return kDone;
}

}  // namespace

void add_export_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("export", "Write a run as one readable file");
  command->footer(
      "Example:\n  hone list --json | grep -q '\\[\\]' || hone export $(hone list | head -1 | cut "
      "-c1-16) -o run.yaml");
  const auto flags = std::make_shared<Flags>();
  const auto id = std::make_shared<std::string>();
  const auto file = std::make_shared<std::string>();
  command->add_option("RUN", *id, "Id of the run, or how it begins")->required();
  command->add_option("-o,--output", *file, "Where to write it (default: stdout)")
      ->type_name("FILE");
  add_store_flag(*command, *flags);
  command->add_flag("-q,--quiet", flags->quiet, "No progress on stderr");
  command->callback([=, &chosen] {
    chosen = [=] { return export_run(*id, *file, configured(*flags, *command)); };
  });
}

void add_import_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("import", "Bring an exported run into the store");
  command->footer("Example:\n  hone import examples/order/run.yaml");
  const auto flags = std::make_shared<Flags>();
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "File that `hone export` wrote, or - for stdin")->required();
  add_store_flag(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback(
      [=, &chosen] { chosen = [=] { return import_run(*file, configured(*flags, *command)); }; });
}

}  // namespace hone::app
