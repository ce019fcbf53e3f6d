// A task as a task file again: whole, with nothing left to look up.
#pragma once

#include <optional>

#include "hone/base/json.h"
#include "hone/task/task_file.h"

namespace hone::task {

// JSON that parse_task_file reads back as an equal task: the journal keeps it, so that a run can be
// repeated when the files it was made of have changed. The prompt stands in `input`, where no
// template touches it; the folder is not in it.
JsonText to_json_text(const TaskFile& file);
// Reads it back; `task` is the rendered task, as the run recorded it. Of a run that was killed
// before it did there is none: then name and input are lost. Throws Corrupt.
TaskFile from_json_text(const JsonText& text, const std::filesystem::path& folder,
                        std::optional<core::Task> task);

}  // namespace hone::task
