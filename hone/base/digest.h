// SHA-256 (FIPS 180-4) as lower-case hexadecimal text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hone {

std::string sha256(std::string_view bytes);
// Its first 64 bits as a number.
std::int64_t short_sha256(std::string_view bytes);

}  // namespace hone
