// Files that flags name and that hold data: --output, --each.
#pragma once

#include <string>
#include <string_view>

namespace hone::app {

// The content, byte for byte; "-" reads stdin. Throws InvalidInput, naming the flag, when it cannot
// be read.
std::string read_file_or_stdin(const std::string& file, std::string_view flag);

}  // namespace hone::app
