#include "apps/hone/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "hone/base/text.h"

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

Terminal terminal_of(int stream) {
  const char* kind = std::getenv("TERM");
  const bool smart = kind != nullptr && std::string_view(kind) != "dumb";
  Terminal terminal;
  terminal.is_terminal = isatty(stream) != 0 && smart;
  terminal.colours = terminal.is_terminal && !is_set("NO_COLOR");
  return terminal;
}

// One character of valid UTF-8: how many bytes it has and what it is.
struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
};

Character character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (text.size() < bytes) return {text.size(), 0xFFFD};
  char32_t code = byte(0) & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) code = (code << 6) | (byte(i) & 0x3Fu);
  return {bytes, code};
}

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15: East Asian Width W and F, and emoji, in coarse ranges.
constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2E80, 0x303E},
    Range{0x3041, 0xA4CF},   Range{0xA960, 0xA97C},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF},
    Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD}};
constexpr std::array kNarrowest{Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                Range{0xFE00, 0xFE0F}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return range.first <= code && code <= range.last; });
}

std::size_t columns_of(char32_t code) {
  if (is_in(kNarrowest, code)) return 0;
  return is_in(kWide, code) ? 2 : 1;
}

// C0, DEL and C1: the latter are control sequences for terminals too.
bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// One line without control characters.
std::string without_controls(std::string_view text) {
  return printable(one_line(to_utf8(text), std::string::npos));
}

}  // namespace

Terminal Terminal::of_stderr() { return terminal_of(STDERR_FILENO); }

Terminal Terminal::of_stdout() { return terminal_of(STDOUT_FILENO); }

std::size_t Terminal::columns() const {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string Terminal::paint(std::string_view text, Colour colour) const {
  if (!colours || colour == Colour::Plain) return std::string(text);
  return std::string(code(colour)) + std::string(text) + "\x1b[0m";
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = character_at(text);
    columns += columns_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string fit(std::string_view text, std::size_t columns) {
  const std::string line = without_controls(text);
  if (columns_of(line) <= columns) return line;
  std::size_t taken = 0;
  std::string_view rest = line;
  for (std::size_t used = 0; !rest.empty();) {
    const Character character = character_at(rest);
    used += columns_of(character.code);
    if (used + 1 > columns) break;
    taken += character.bytes;
    rest.remove_prefix(character.bytes);
  }
  return line.substr(0, taken) + (columns > 0 ? "…" : "");
}

std::string fit_end(std::string_view text, std::size_t columns) {
  const std::string line = without_controls(text);
  std::string_view rest = line;
  if (columns_of(line) <= columns) return line;
  while (!rest.empty() && columns_of(rest) + 1 > columns) {
    rest.remove_prefix(character_at(rest).bytes);
  }
  return (columns > 0 ? "…" : "") + std::string(rest);
}

std::string printable(std::string_view text) {
  const std::string whole = to_utf8(text);
  std::string clean;
  for (std::string_view rest = whole; !rest.empty();) {
    const Character character = character_at(rest);
    const bool shown = character.code == '\n' || !is_control(character.code);
    if (shown) clean += rest.substr(0, character.bytes);
    rest.remove_prefix(character.bytes);
  }
  return clean;
}

}  // namespace hone::app
