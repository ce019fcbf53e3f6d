#include "apps/hone/run_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/core/json_form_reader.h"
#include "hone/journal/originals.h"
#include "hone/task/write.h"

namespace hone::app {
namespace {

Json to_json(const ForkOrigin& fork) {
  Json json = {{"run", fork.run}, {"at", fork.at}};
  if (!fork.guidance.empty()) json["guidance"] = fork.guidance;
  if (fork.after_pass) json["after_pass"] = true;
  return json;
}

ForkOrigin fork_in(const Json& json) {
  const core::JsonReader reader(json);
  return {reader.text("run"), reader.small("at"), reader.text("guidance"),
          reader.boolean("after_pass")};
}

}  // namespace

core::LoopOptions loop_options(const task::TaskFile& file, const RunOptions& options) {
  core::LoopOptions loop;
  loop.stop = file.stop;
  loop.selection = file.select;
  loop.at_once = file.at_once;
  // The protocol asks for a reflection on every failure, kept or not.
  const bool is_mandatory = file.reflect.options.forms == reflect::Forms::ByOutcome;
  loop.reflects_on_failure = file.lessons.learn || is_mandatory;
  loop.reflects_on_success = file.reflect.success;
  loop.learns_at_once = file.lessons.at_once;
  if (!options.fork) return loop;
  loop.makes_at_least = options.fork->at;
  loop.makes_it_after_a_pass = options.fork->after_pass;
  return loop;
}

JsonText to_json_text(const RunOptions& options, const std::filesystem::path& folder) {
  Json json = {{"folder", folder.string()}, {"directory", options.directory.string()}};
  if (!options.base_url.empty()) json["base_url"] = options.base_url;
  if (!options.key_file.empty()) json["api_key_file"] = options.key_file;
  if (!options.lessons_dir.empty()) json["lessons_dir"] = options.lessons_dir;
  if (options.given) json["given"] = *options.given;
  if (options.fork) json["fork"] = to_json(*options.fork);
  return {dump(json)};
}

RunOptions run_options_in(const journal::RunHeader& header) {
  const Json json = parse_json(header.options.text);
  const core::JsonReader reader(json);
  RunOptions options;
  options.directory = reader.text("directory");
  options.base_url = reader.text("base_url");
  options.key_file = reader.text("api_key_file");
  options.lessons_dir = reader.text("lessons_dir");
  options.given = reader.optional_text("given");
  options.redaction = header.redaction;
  if (const Json* fork = reader.find("fork")) options.fork = fork_in(*fork);
  return options;
}

Flags with_recorded(Flags flags, const RunOptions& options) {
  if (flags.base_url.empty()) flags.base_url = options.base_url;
  if (flags.api_key_file.empty()) flags.api_key_file = options.key_file;
  if (flags.lessons_dir.empty()) flags.lessons_dir = options.lessons_dir;
  return flags;
}

void enter_folder_of(const RunOptions& options, const std::string& run) {
  if (options.directory.empty()) return;
  std::error_code failure;
  std::filesystem::current_path(options.directory, failure);
  if (!failure) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("the folder {} that run {} was started in cannot be entered: {}",
                          options.directory.string(), run, failure.message()),
              "make it again with the files that the run needs");
}

std::string spec_of(const task::TaskFile& file, core::Role role) {
  auto named = file.models.find(role);
  if (named == file.models.end()) named = file.models.find(core::Role::Generate);
  return named == file.models.end() ? "local" : named->second;
}

task::TaskFile task_in(const journal::RecordedRun& recorded) {
  const Json options = parse_json(recorded.header.options.text);
  const std::string folder = core::JsonReader(options).text("folder");
  std::optional<core::Task> task;
  if (!recorded.events.empty()) task = journal::original_run(recorded).task;
  task::TaskFile file = task::from_json_text(recorded.header.task, folder, task);
  if (!task) file.task.name = recorded.header.task_name;
  return file;
}

}  // namespace hone::app
