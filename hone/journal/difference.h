// Shows people how two requests differ.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hone::journal {

// The first places in which two JSON documents differ, with the changed lines of texts:
//   messages/1/text, line 3:
//   - Answer in French.
//   + Answer in German.
// Empty when they are equal.
std::string difference(std::string_view recorded, std::string_view now);

// The path that begins most like `path`, of several the last; empty when there is none.
std::string nearest_path(std::string_view path, std::span<const std::string> paths);

}  // namespace hone::journal
