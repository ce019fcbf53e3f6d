// The parts of find_sensitive: each looks at one place and tells what begins or lies there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hone/base/sensitive.h"

namespace hone::sensitive {

// A position where something may be found; what lies before `floor` is taken.
struct Place {
  std::string_view text;
  std::size_t at = 0;
  std::size_t floor = 0;

  std::string_view rest() const { return text.substr(at); }
};
using Found = std::optional<Sensitive>;

// Begin at the place:
Found key(const Place& place);          // A key of a known format.
Found private_key(const Place& place);  // "-----BEGIN … PRIVATE KEY-----" to its end.
Found card(const Place& place);
Found iban(const Place& place);
Found phone(const Place& place);
Found private_address(const Place& place);
// Lie around a mark, at which the place is:
Found assigned_secret(const Place& place);    // "=" or ":" between a name and its value.
Found mail_address(const Place& place);       // "@"
Found url_with_password(const Place& place);  // "://"
Found internal_url(const Place& place);       // "://"
Found internal_host(const Place& place);      // "." before a suffix of internal names.

// Characters, as a bit set for each byte.
enum Class : std::uint8_t {
  kDigit = 1,
  kLower = 2,
  kUpper = 4,
  kWordMark = 8,     // - _
  kBase64Mark = 16,  // . + / = ~
  kSpace = 32
};
constexpr std::array<std::uint8_t, 256> classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = kLower;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = kUpper;
  for (const char c : {'-', '_'}) table[static_cast<unsigned char>(c)] = kWordMark;
  for (const char c : {'.', '+', '/', '=', '~'}) table[static_cast<unsigned char>(c)] = kBase64Mark;
  for (const char c : {' ', '\t', '\n', '\r'}) table[static_cast<unsigned char>(c)] = kSpace;
  return table;
}
inline constexpr std::array<std::uint8_t, 256> kClasses = classes();

inline bool is(char c, int set) { return (kClasses[static_cast<unsigned char>(c)] & set) != 0; }
inline bool is_digit(char c) { return is(c, kDigit); }
inline bool is_letter(char c) { return is(c, kLower | kUpper); }
inline bool is_alnum(char c) { return is(c, kDigit | kLower | kUpper); }
inline bool is_word(char c) { return is_alnum(c) || c == '_'; }

// Whether no word goes on into the place. The n of \n in JSON inside of text is part of no word.
bool begins_word(const Place& place);
// Whether a secret of random characters could look so: words joined by hyphens do not.
bool looks_random(std::string_view text);

}  // namespace hone::sensitive
