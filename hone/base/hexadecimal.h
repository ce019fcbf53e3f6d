// Digests are text in memory and half as long on disk.
#pragma once

#include <string>
#include <string_view>

namespace hone {

std::string to_hexadecimal(std::string_view bytes);
// The bytes of lower-case digits in pairs, as sha256() gives them.
std::string from_hexadecimal(std::string_view digits);

}  // namespace hone
