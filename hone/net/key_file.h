// Reads keys from files that nobody else can read.
#pragma once

#include <string>

#include "hone/net/secret.h"

namespace hone::net {

// The text of the file without the white space around it. Throws InvalidInput if it cannot be read,
// is empty or too long, and if others than its owner may read or write it, with the chmod to run.
Secret read_key_file(const std::string& file);

}  // namespace hone::net
