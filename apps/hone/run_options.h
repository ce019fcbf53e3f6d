// What a run needs beside its task to be gone on with: it stands in the header of its record.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "apps/hone/flags.h"
#include "hone/core/loop.h"
#include "hone/journal/record.h"
#include "hone/task/task_file.h"

namespace hone::app {

// Where a fork left the run it came from.
struct ForkOrigin {
  std::string run;
  // The first attempt of its own; 0: whatever has another request than there is its own.
  int at = 1;
  std::string guidance;     // What a person adds to the task from there on.
  bool after_pass = false;  // An attempt before had passed.
};

struct RunOptions {
  std::filesystem::path directory;   // The working folder it was started in.
  std::string base_url;              // --base-url
  std::string key_file;              // --api-key-file
  std::string lessons_dir;           // --lessons-dir
  std::optional<std::string> given;  // The first output, when nobody was to generate it.
  std::optional<ForkOrigin> fork;
  Redaction redaction;  // What is taken out of the record; stands in the header itself.
};

// The folder is that of the task file.
JsonText to_json_text(const RunOptions& options, const std::filesystem::path& folder);
// What the loop of such a run has to know.
core::LoopOptions loop_options(const task::TaskFile& file, const RunOptions& options);
// Throws Corrupt.
RunOptions run_options_in(const journal::RunHeader& header);
// The flags, where they leave it open with how the run reached its models.
Flags with_recorded(Flags flags, const RunOptions& options);
// Goes to the folder that the run was started in: its commands and files are named from there.
// Throws InvalidInput when it is gone.
void enter_folder_of(const RunOptions& options, const std::string& run);

// The model of a role, as it is named in the task.
std::string spec_of(const task::TaskFile& file, core::Role role);
// The task as it was resolved when the run began.
task::TaskFile task_in(const journal::RecordedRun& recorded);

}  // namespace hone::app
