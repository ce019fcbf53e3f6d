// Which tools and interfaces a text names, as far as its writing shows.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace hone::memory {

// In lower case: what stands in backticks; hosts and paths of addresses and paths that begin with a
// slash, without numbers and queries; names of code, with an underscore, `::`, a dot inside or
// parentheses at the end. Plain words are none: "curl" is named by a lesson's own `tool` or in
// backticks. At most 32.
std::set<std::string> tools_in(std::string_view text);

}  // namespace hone::memory
