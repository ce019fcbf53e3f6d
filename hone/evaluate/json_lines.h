// Where the values of a JSON text stand, by line.
#pragma once

#include <optional>
#include <string_view>

#include "hone/schema/spans.h"

namespace hone::evaluate {

// Reads the text once; it outlives this.
class JsonLines {
 public:
  // `json` is JSON; its first line has the number `first`.
  JsonLines(std::string_view json, int first);

  // The line on which the value at a JSON pointer begins, or the nearest one around it that is
  // there.
  int of(std::string_view pointer) const;

 private:
  std::string_view json_;
  int first_;
  std::optional<schema::Span> root_;  // Absent where all stands on one line.
};

}  // namespace hone::evaluate
