// Secrets: keys by their formats, private keys, and values of names like "password".
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "hone/base/sensitive_finders.h"
#include "hone/base/sensitive_rules.h"
#include "hone/base/text.h"

namespace hone::sensitive {
namespace {

// Bounds the work on text made to be slow.
constexpr std::size_t kLongestSecret = 4096;
constexpr std::size_t kLongestPrivateKey = 16 * 1024;

bool fits(char c, Alphabet alphabet) {
  switch (alphabet) {
    case Alphabet::Hex:
      return is_digit(c) || (c >= 'a' && c <= 'f');
    case Alphabet::Base32:
      return is(c, kUpper) || (c >= '2' && c <= '7');
    case Alphabet::Alnum:
      return is_alnum(c);
    case Alphabet::Word:
      return is(c, kDigit | kLower | kUpper | kWordMark);
    case Alphabet::Dotted:
      return is(c, kDigit | kLower | kUpper | kWordMark | kBase64Mark);
  }
  return false;
}

bool has_fixed_length(Alphabet alphabet) {
  return alphabet == Alphabet::Hex || alphabet == Alphabet::Base32;
}

std::size_t length_of(std::string_view rest, Alphabet alphabet) {
  const std::size_t limit = std::min(rest.size(), kLongestSecret);
  std::size_t length = 0;
  while (length < limit && fits(rest[length], alphabet)) ++length;
  // The end of a sentence, or of a path.
  while (length > 0 && (rest[length - 1] == '.' || rest[length - 1] == '/')) --length;
  return length;
}

// "xxxxxxxx" and "00000000" stand for a key.
bool is_filler(std::string_view secret) {
  return secret.find_first_not_of(secret[0]) == std::string_view::npos;
}

bool proves(const KeyRule& rule, std::string_view secret) {
  if (has_fixed_length(rule.alphabet) && secret.size() != rule.shortest) return false;
  if (is_filler(secret)) return false;
  return rule.proof == Proof::Format || looks_random(secret);
}

// The numbers of the rules by the first character of their prefix.
std::span<const std::uint8_t> rules_of(char first) {
  static_assert(kKeyRules.size() < 256);
  static const auto by_first = [] {
    std::array<std::vector<std::uint8_t>, 256> made;
    for (std::size_t i = 0; i < kKeyRules.size(); ++i) {
      made[static_cast<unsigned char>(kKeyRules[i].prefix[0])].push_back(
          static_cast<std::uint8_t>(i));
    }
    return made;
  }();
  return by_first[static_cast<unsigned char>(first)];
}

}  // namespace

Found key(const Place& place) {
  const std::string_view rest = place.rest();
  for (const std::uint8_t number : rules_of(rest[0])) {
    const KeyRule& rule = kKeyRules[number];
    if (rest[1] != rule.prefix[1] || !rest.starts_with(rule.prefix)) continue;
    const std::string_view after = rest.substr(rule.prefix.size());
    const std::size_t length = length_of(after, rule.alphabet);
    if (length < rule.shortest || !proves(rule, after.substr(0, length))) continue;
    const bool goes_on =
        has_fixed_length(rule.alphabet) && length < after.size() && is_word(after[length]);
    if (goes_on) continue;
    std::size_t end = place.at + rule.prefix.size() + length;
    while (length == kLongestSecret && end < place.text.size() &&
           fits(place.text[end], rule.alphabet))
      ++end;
    // The word Bearer stays: it says what stood there.
    const std::size_t kept = rule.prefix.ends_with(' ') ? rule.prefix.size() : 0;
    return Sensitive{place.at + kept, end, rule.kind};
  }
  return {};
}

namespace {

// Code that names the lines around a key has nothing in between.
bool has_base64(std::string_view text) {
  constexpr std::size_t kShortest = 6;
  std::size_t run = 0;
  for (const char c : text) {
    run = is_alnum(c) || c == '+' || c == '/' || c == '=' ? run + 1 : 0;
    if (run >= kShortest) return true;
  }
  return false;
}

}  // namespace

Found private_key(const Place& place) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kKey = "PRIVATE KEY";
  constexpr std::size_t kLongestLabel = 40;
  const std::string_view rest = place.rest().substr(0, kLongestPrivateKey);
  if (!rest.starts_with(kBegin)) return {};
  const std::string_view label = rest.substr(kBegin.size(), kLongestLabel);
  const std::size_t named = label.find(kKey);
  const std::size_t dashes = label.find("-----");
  if (named == std::string_view::npos || named > dashes) return {};
  const std::size_t body = kBegin.size() + std::min(dashes, label.size());
  const std::size_t end = rest.find("-----END ", body);
  if (end != std::string_view::npos) {
    if (!has_base64(rest.substr(body + 5, end - body - 5))) return {};
    const std::size_t closed = rest.find("-----", end + 9);
    const std::size_t length = closed == std::string_view::npos ? rest.size() : closed + 5;
    return Sensitive{place.at, place.at + length, "PRIVATE_KEY"};
  }
  // Cut off: all that could be a part of it.
  std::size_t length = std::min(body + 5, rest.size());
  const auto in_body = [](char c) {
    return is(c, kDigit | kLower | kUpper | kBase64Mark | kSpace) || c == '\\';
  };
  while (length < rest.size() && in_body(rest[length])) ++length;
  if (length < body + 5 + 16) return {};  // A line that only names the format.
  return Sensitive{place.at, place.at + length, "PRIVATE_KEY"};
}

namespace {

// The name that ends before the mark, lower case; quotes and blanks lie between.
std::string name_before(const Place& place) {
  std::size_t end = place.at;
  const auto between = [](char c) { return c == ' ' || c == '"' || c == '\'' || c == '\\'; };
  while (end > place.floor && between(place.text[end - 1])) --end;
  std::size_t begin = end;
  constexpr std::size_t kLongest = 60;
  while (begin > place.floor && end - begin < kLongest &&
         is(place.text[begin - 1], kDigit | kLower | kUpper | kWordMark)) {
    --begin;
  }
  return lower(place.text.substr(begin, end - begin));
}

bool ends_with_any(std::string_view name, std::span<const std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) {
    if (!name.ends_with(end)) return false;
    const std::string_view before = name.substr(0, name.size() - end.size());
    // "apitoken" and "max_token" are other words than "token".
    return end != "token" || before.empty() || before.ends_with("auth_") ||
           before.ends_with("access_") || before.ends_with("refresh_") ||
           before.ends_with("api_") || before.ends_with("bot_") || before.ends_with("bearer_") ||
           before.ends_with("secret_") || before.ends_with("session_") ||
           before.ends_with("x-auth-") || before.ends_with("private-");
  });
}

struct Value {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool quoted = false;
  bool tight = false;  // No blank before it.
};

// What follows "=" or ":"; escaped quotes count as quotes.
Value value_after(const Place& place) {
  const std::string_view text = place.text;
  Value value;
  std::size_t at = place.at + 1;
  if (at < text.size() && text[at - 1] == ':' && text[at] == '=') ++at;
  value.tight = at < text.size() && text[at] != ' ';
  while (at < text.size() && text[at] == ' ') ++at;
  if (at + 1 < text.size() && text[at] == '\\' && text[at + 1] == '"') ++at;
  value.quoted = at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == '`');
  const char quote = value.quoted ? text[at++] : '\0';
  value.begin = at;
  constexpr std::size_t kLongest = 1024;
  const std::size_t limit = std::min(text.size(), at + kLongest);
  constexpr std::string_view kEnds = " \t\n\r\"'`,;&\\<>|";
  while (at < limit && (value.quoted ? text[at] != quote && text[at] != '\\' && text[at] != '\n'
                                     : kEnds.find(text[at]) == std::string_view::npos)) {
    ++at;
  }
  value.end = at;
  return value;
}

bool is_stand_in(std::string_view value) {
  constexpr std::string_view kTemplates = "<>{}$";
  if (value.find_first_of(kTemplates.substr(0, 4)) != std::string_view::npos) return true;
  if (value.starts_with('$') || value.starts_with('%')) return true;
  const std::string small = lower(value);
  return std::ranges::any_of(kStandIns, [&](std::string_view word) {
    return small == word || (word.size() >= 4 && small.starts_with(word)) ||
           (word.size() == 3 && small.find(word) != std::string::npos);
  });
}

// Code that makes the value, or refers to it, is no value.
bool is_expression(std::string_view value) {
  if (value.find_first_of("()[]") != std::string_view::npos) return true;
  const std::size_t dot = value.find('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < value.size() &&
         is_letter(value[dot - 1]) && is_letter(value[dot + 1]) && !looks_random(value);
}

struct Mix {
  bool digit = false;
  bool letter = false;
  bool other = false;
};

Mix mix_of(std::string_view value) {
  Mix mix;
  for (const char c : value) {
    mix.digit |= is_digit(c);
    mix.letter |= is_letter(c);
    mix.other |= !is_alnum(c) && c != '-' && c != '_' && c != '.' && c != '/' && c != ':';
  }
  return mix;
}

// "sha256", "AES-128-GCM", "int32".
bool is_technical(std::string_view value) {
  const std::string small = lower(value);
  return std::ranges::any_of(kTechnical, [&](std::string_view word) {
    if (!small.starts_with(word)) return false;
    if (small.size() == word.size()) return true;
    const char next = small[word.size()];
    return is_digit(next) || next == '-' || next == '_';
  });
}

bool is_path(std::string_view value) {
  return value.starts_with('/') || value.starts_with("~/") || value.starts_with("./");
}

bool is_password(std::string_view value, const Value& place) {
  if (value.find(' ') != std::string_view::npos || value.size() > 128) return false;
  if (!place.quoted && (is_expression(value) || is_path(value))) return false;
  const Mix mix = mix_of(value);
  if (mix.letter && mix.digit) return value.size() >= 6 && !is_technical(value);
  const std::size_t shortest = place.quoted || place.tight ? 6 : 8;
  return value.size() >= shortest && mix.letter && mix.other;
}

// In a list of settings ("Server=db;Password=pw;") whatever stands there is the password.
bool in_settings(const Place& place, const Value& value) {
  if (place.text[place.at] != '=' || !value.tight || value.quoted) return false;
  const bool ends = value.end < place.text.size() && place.text[value.end] == ';';
  const std::size_t line = place.text.substr(0, place.at).find_last_of(";\n");
  return ends && line != std::string_view::npos && place.text[line] == ';' &&
         value.end - value.begin >= 4;
}

// A key that is too short to look random: letters and several digits that are no name.
bool is_short_key(std::string_view value) {
  constexpr std::size_t kShortest = 6;
  const std::string small = lower(value);
  const bool named = std::ranges::any_of(
      kNounsOfCode, [&](std::string_view noun) { return small.find(noun) != std::string::npos; });
  return value.size() >= kShortest && mix_of(value).letter &&
         std::ranges::count_if(value, is_digit) >= 2 && !named && !is_technical(value) &&
         !is_path(value);
}

// A "token" alone is as often a word of a text.
bool is_key_value(std::string_view value, const Value& place, std::string_view name) {
  constexpr std::size_t kLooksRandom = 16;
  if (value.find(' ') != std::string_view::npos) return false;
  if (!place.quoted && is_expression(value)) return false;
  if (value.size() < kLooksRandom) return name != "token" && is_short_key(value);
  return mix_of(value).digit && looks_random(value);  // NamesOfTypes have no digits.
}

}  // namespace

Found assigned_secret(const Place& place) {
  // Most names end otherwise.
  std::size_t last = place.at;
  while (last > place.floor && (place.text[last - 1] == ' ' || place.text[last - 1] == '"' ||
                                place.text[last - 1] == '\'' || place.text[last - 1] == '\\')) {
    --last;
  }
  constexpr std::string_view kLastLetters = "dentyDENTY";
  if (last == place.floor || kLastLetters.find(place.text[last - 1]) == std::string_view::npos)
    return {};
  const std::string name = name_before(place);
  const bool password_name = ends_with_any(name, kPasswordNames);
  if (!password_name && !ends_with_any(name, kSecretNames)) return {};
  Value value = value_after(place);
  while (!value.quoted && value.end > value.begin && place.text[value.end - 1] == '.') --value.end;
  const std::string_view text = place.text.substr(value.begin, value.end - value.begin);
  if (text.empty() || is_stand_in(text) || placeholder_length(text) > 0) return {};
  if (key({place.text, value.begin, place.floor})) return {};  // It has a name of its own.
  const bool caught = password_name ? is_password(text, value) || in_settings(place, value)
                                    : is_key_value(text, value, name);
  if (!caught) return {};
  return Sensitive{value.begin, value.end, password_name ? "PASSWORD" : "SECRET"};
}

}  // namespace hone::sensitive
