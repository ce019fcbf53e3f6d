// Shortens records by what all of them have in common: the names of our own members.
#pragma once

#include <string>
#include <string_view>

namespace hone::journal {

// A phrase of the table becomes one byte that JSON never holds; a third is what stays of a request.
// What was written before phrases were known reads as it is.
std::string shortened(std::string_view json);
std::string lengthened(std::string_view stored);

}  // namespace hone::journal
