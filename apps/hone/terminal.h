// What stderr can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::app {

enum class Colour { Plain, Red, Green, Yellow, Dim };

struct Terminal {
  bool is_terminal = false;  // stderr is one that can move its cursor.
  bool colours = false;      // And nobody set NO_COLOR.

  // stderr as it is.
  static Terminal of_stderr();
  // Its width now; 80 where there is none.
  std::size_t columns() const;
  std::string paint(std::string_view text, Colour colour) const;
};

}  // namespace hone::app
