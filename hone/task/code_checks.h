// The checks of a task file that run code in a sandbox: `python`, `lua`, `prolog` and `tests`.
#pragma once

#include "hone/task/files.h"
#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// All throw InvalidInput at the place of what is wrong. Code that does not compile is not: the
// check will be unknown, and say so.
CodeCheck read_code(const yaml::Field& field, core::Language language, Files& files);
TestsCheck read_tests(const yaml::Field& field, Files& files);

// What they read again.
Json to_json(const CodeCheck& check);
Json to_json(const TestsCheck& check);

}  // namespace hone::task
