// What a run needs beside its task to be gone on with: it stands in the header of its record.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "hone/journal/record.h"
#include "hone/task/task_file.h"

namespace hone::app {

// Where a fork left the run it came from.
struct ForkOrigin {
  std::string run;
  int at = 1;            // The first attempt of its own.
  std::string guidance;  // What a person adds to the task from there on.
};

struct RunOptions {
  std::filesystem::path directory;   // The working folder it was started in.
  std::string base_url;              // --base-url
  std::string key_file;              // --api-key-file
  std::optional<std::string> given;  // The first output, when nobody was to generate it.
  std::optional<ForkOrigin> fork;
  Redaction redaction;  // What is taken out of the record; stands in the header itself.
};

// The folder is that of the task file.
JsonText to_json_text(const RunOptions& options, const std::filesystem::path& folder);
// Throws Corrupt.
RunOptions run_options_in(const journal::RunHeader& header);
// The task as it was resolved when the run began.
task::TaskFile task_in(const journal::RecordedRun& recorded);

}  // namespace hone::app
