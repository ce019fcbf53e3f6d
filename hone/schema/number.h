// Numbers as they are written in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hone::schema {

// Whether a JSON number has no fraction: 5, 5.0, 1e2, 150e-1.
bool is_whole(std::string_view number);

// The text as a JSON integer of 64 bits, if it says one and nothing else: "5" and "5.0" are 5;
// "-0", "05", "1e3", " 5" and "9e99" are none.
std::optional<std::string> as_integer(std::string_view text);

// The text if it is a JSON number of which a double keeps every digit.
std::optional<std::string> as_number(std::string_view text);

}  // namespace hone::schema
