// The lines of --each: one JSON object each.
#pragma once

#include <string>
#include <vector>

#include "hone/task/task_file.h"

namespace hone::app {

// Reads all lines of the file, "-" for stdin; empty lines do not count. Throws InvalidInput as
// "file:line: …" for the first that is no JSON object.
std::vector<task::InputRow> read_rows(const std::string& file);
// The same from text.
std::vector<task::InputRow> rows_of(std::string_view text, const std::string& file);

}  // namespace hone::app
