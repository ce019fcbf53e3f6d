// The type of a plain scalar by the core schema of YAML 1.2 (chapter 10.3.2).
#pragma once

#include <optional>
#include <string_view>

#include "hone/yaml/node.h"

namespace hone::yaml {

// Null, boolean, integer, number or text. Absent for a number too large for a double.
std::optional<decltype(Node::value)> plain_scalar(std::string_view text);

}  // namespace hone::yaml
