#include "apps/hone/branch.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "apps/hone/lesson_memory.h"
#include "apps/hone/live_run.h"
#include "apps/hone/perform.h"
#include "apps/hone/store.h"
#include "apps/hone/task_argument.h"
#include "hone/journal/recorded_memory.h"
#include "hone/model/spec.h"

namespace hone::app {
namespace {

// Names of scripts as they are found from another folder too.
void make_absolute(std::string& spec) {
  if (spec.empty()) return;
  const model::ModelSpec parsed = model::parse_spec(spec);
  if (parsed.provider != model::Provider::Scripted) return;
  std::error_code failure;
  const auto file = std::filesystem::absolute(parsed.file, failure);
  if (!failure && std::filesystem::exists(file, failure)) spec = "scripted:" + file.string();
}

bool is_elsewhere(const RunOptions& options) {
  std::error_code failure;
  return !options.directory.empty() &&
         !std::filesystem::equivalent(options.directory, ".", failure);
}

// Then what the run was shown counts no longer: it is recalled anew, or nothing is.
bool has_other_lessons(const Flags& given) {
  return given.no_lessons || !given.lessons_dir.empty() || !given.agent.empty() ||
         !given.tenant.empty();
}

}  // namespace

void add_change_flags(CLI::App& command, Flags& flags) {
  add_model_flags(command, flags);
  add_attempts_flag(command, flags);
  add_task_flags(command, flags);
  for (CLI::Option* option : command.get_options()) option->envname("");
}

task::TaskFile changed_task(task::TaskFile file, Flags flags) {
  flags.defaults.reset();
  if (!flags.model.empty()) {
    const std::string judge = spec_of(file, core::Role::Evaluate);
    file.models = {{core::Role::Generate, flags.model}, {core::Role::Evaluate, judge}};
    flags.model.clear();
  }
  return with_flags(std::move(file), flags);
}

int play_branch(Branch branch, const Flags& given) {
  LiveOptions options{.seed = given.seed.value_or(branch.original.header.seed),
                      .run = run_options_in(branch.original.header)};
  options.run.fork = std::move(branch.origin);
  Flags flags = with_recorded(given, options.run);
  options.run.base_url = flags.base_url;
  options.run.key_file = flags.api_key_file;
  const std::string path = std::filesystem::absolute(writable_store_path(flags)).string();
  if (is_elsewhere(options.run)) {
    for (auto& [role, spec] : branch.file.models) make_absolute(spec);
    enter_folder_of(options.run, branch.original.header.run);
  }
  Models models(flags, branch.file.folder);
  check_models(branch.file, models, options);
  std::vector<std::vector<core::Lesson>> recalls;
  if (!has_other_lessons(given)) recalls = journal::recalls_of(branch.original);
  LessonMemory lessons(branch.file.lessons, flags, std::move(recalls));
  options.memory = &lessons.memory();
  options.original = std::move(branch.original);
  journal::Journal journal(journal_options(flags, path));
  LiveRun live(std::move(branch.file), models, journal, std::move(options));
  const int code = perform(live, flags);
  lessons.tell_notes(flags);
  return code;
}

}  // namespace hone::app
