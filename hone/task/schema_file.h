// The JSON Schema of task files, for editors: `hone schema task`.
#pragma once

#include <string_view>

namespace hone::task {

// A schema of draft 2020-12, the text of task.schema.json. It holds for what parse_task_file
// accepts; what depends on other files or on templates only parse_task_file knows.
std::string_view task_schema();

}  // namespace hone::task
