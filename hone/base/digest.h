// SHA-256 (FIPS 180-4) as lower-case hexadecimal text.
#pragma once

#include <string>
#include <string_view>

namespace hone {

std::string sha256(std::string_view bytes);

}  // namespace hone
