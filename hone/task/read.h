// A parsed task file becomes a task. Only this folder includes it.
#pragma once

#include <optional>

#include "hone/task/files.h"
#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// The fields of a task file; throws InvalidInput for an unknown key. The document outlives them.
yaml::Fields task_fields(const yaml::Document& document);

// The task alone, rendered with `input`, or with the file's own when there is none.
core::Task read_task(const yaml::Fields& fields, Files& files,
                     const std::optional<JsonText>& input = {});
// All of the file but `folder` and the name of the task.
TaskFile read_task_file(const yaml::Fields& fields, Files& files,
                        const std::optional<JsonText>& input = {});
// The text of a task file; throws InvalidInput when it cannot be read.
std::string task_text(const std::filesystem::path& file);

}  // namespace hone::task
