// The checks of a task file that ask no model, and what all readers of checks share.
#pragma once

#include <string>
#include <vector>

#include "hone/base/units.h"
#include "hone/task/files.h"
#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// All throw InvalidInput at the place of what is wrong.
std::string nonempty(const yaml::Field& field);
// A text, or a list of them.
std::vector<std::string> texts(const yaml::Field& field);
// The same, each a pattern that compiles.
std::vector<std::string> patterns(const yaml::Field& field);
// `run` and `timeout` of a mapping that may have other keys as well.
CommandCheck command_of(const yaml::Fields& fields);

SchemaCheck read_schema(const yaml::Field& field, Files& files);
RegexCheck read_regex(const yaml::Field& field);
CommandCheck read_command(const yaml::Field& field);

// The schema in a file of the user's, with the files that it refers to.
SchemaCheck schema_in(const std::string& path, const std::string& called);

// "1500ms", which a duration reads as the same.
std::string text_of(Duration time);

}  // namespace hone::task
