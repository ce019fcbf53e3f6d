// What a terminal can show, and text that fits it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::app {

enum class Colour { Plain, Red, Green, Yellow, Dim };

struct Terminal {
  bool is_terminal = false;  // One that can move its cursor.
  bool colours = false;      // And nobody set NO_COLOR.

  // The streams as they are.
  static Terminal of_stderr();
  static Terminal of_stdout();
  // The width of stderr now; 80 where there is none.
  std::size_t columns() const;
  std::string paint(std::string_view text, Colour colour) const;
};

// How many columns the text takes: two for wide characters of East Asia and for emoji, none for
// combining marks.
std::size_t columns_of(std::string_view text);
// At most `columns` columns of the text, with white space collapsed, and "…" where it was cut.
std::string fit(std::string_view text, std::size_t columns);
// The end of the text in the same way: the newest of a line that grows.
std::string fit_end(std::string_view text, std::size_t columns);
// The text without control characters other than newlines: what a model writes must not move the
// cursor.
std::string printable(std::string_view text);

}  // namespace hone::app
