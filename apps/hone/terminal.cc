#include "apps/hone/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace hone::app {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::string_view code(Colour colour) {
  switch (colour) {
    case Colour::Plain:
      return "";
    case Colour::Red:
      return "\x1b[31m";
    case Colour::Green:
      return "\x1b[32m";
    case Colour::Yellow:
      return "\x1b[33m";
    case Colour::Dim:
      return "\x1b[2m";
  }
  return "";
}

}  // namespace

Terminal Terminal::of_stderr() {
  const char* kind = std::getenv("TERM");
  const bool smart = kind != nullptr && std::string_view(kind) != "dumb";
  Terminal terminal;
  terminal.is_terminal = isatty(STDERR_FILENO) != 0 && smart;
  terminal.colours = terminal.is_terminal && !is_set("NO_COLOR");
  return terminal;
}

std::size_t Terminal::columns() const {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string Terminal::paint(std::string_view text, Colour colour) const {
  if (!colours || colour == Colour::Plain) return std::string(text);
  return std::string(code(colour)) + std::string(text) + "\x1b[0m";
}

}  // namespace hone::app
