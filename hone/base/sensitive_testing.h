// What the tests of find_sensitive share: made-up keys, and texts with what was found marked.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "hone/base/sensitive.h"
#include "hone/base/sensitive_rules.h"

namespace hone {

// What find_sensitive leaves of the text, with "[KIND]" for what it finds.
inline std::string marked(std::string_view text) {
  std::string result;
  std::size_t copied = 0;
  while (const auto found = find_sensitive(text, copied, {})) {
    result += text.substr(copied, found->begin - copied);
    result += "[" + std::string(found->kind) + "]";
    copied = found->end;
  }
  result += text.substr(copied);
  return result;
}

class Maker {
 public:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string of(std::string_view alphabet, std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += alphabet[random_() % alphabet.size()];
    return text;
  }
  std::string digits(std::size_t length) { return of("0123456789", length); }
  template <class List>
  auto any(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }

 private:
  std::mt19937 random_{20'260'315};
};

inline constexpr std::string_view kAlnum =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

inline std::string_view characters(sensitive::Alphabet alphabet) {
  switch (alphabet) {
    case sensitive::Alphabet::Hex:
      return "0123456789abcdef";
    case sensitive::Alphabet::Base32:
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    default:
      return kAlnum;
  }
}

inline std::string key_of(const sensitive::KeyRule& rule, Maker& maker) {
  return std::string(rule.prefix) + maker.of(characters(rule.alphabet), rule.shortest);
}

}  // namespace hone
