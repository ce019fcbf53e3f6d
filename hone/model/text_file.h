// Whole files as text.
#pragma once

#include <cstddef>
#include <string>

namespace hone::model {

// The bytes of the file. Throws InvalidInput when it cannot be read ("`a.txt` cannot be read: No
// such file or directory") or is longer than `most` bytes; whoever named the file has to change
// that.
std::string read_text_file(const std::string& path, std::size_t most = 64 * 1024 * 1024);

}  // namespace hone::model
