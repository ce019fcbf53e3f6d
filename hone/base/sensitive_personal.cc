// Personal data: mail addresses, phone numbers, cards and accounts.
#include <algorithm>
#include <string>

#include "hone/base/sensitive_finders.h"
#include "hone/base/sensitive_rules.h"
#include "hone/base/text.h"

namespace hone::sensitive {
namespace {

// Digits from the start of `text`, and how far they reach with single separators between them.
struct Digits {
  std::string value;
  std::size_t length = 0;
  bool grouped = false;
};

Digits digits_of(std::string_view text, std::string_view separators, std::size_t most) {
  Digits digits;
  std::size_t at = 0;
  while (at < text.size() && digits.value.size() < most) {
    if (is_digit(text[at])) {
      digits.value += text[at++];
      digits.length = at;
    } else if (at + 1 < text.size() && separators.find(text[at]) != std::string_view::npos &&
               is_digit(text[at + 1])) {
      digits.grouped = true;
      ++at;
    } else {
      break;
    }
  }
  return digits;
}

// Neither a word nor a longer number goes on after it.
bool ends_at(std::string_view text, std::size_t end) {
  if (end >= text.size()) return true;
  if (is_word(text[end])) return false;
  const bool more = end + 1 < text.size() && is_digit(text[end + 1]);
  return !((text[end] == '.' || text[end] == '-') && more);
}

bool follows_number(const Place& place) {
  if (place.at == 0) return false;
  const char before = place.text[place.at - 1];
  const bool joined = before == '.' || before == '-' || before == '/' || before == ',';
  return joined && place.at > 1 && is_word(place.text[place.at - 2]);
}

// ISO/IEC 7812-1, annex B.
bool passes_luhn(std::string_view digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

bool is_card(std::string_view digits) {
  if (digits.size() < 14) return false;
  const int begin = (digits[0] - '0') * 1000 + (digits[1] - '0') * 100 + (digits[2] - '0') * 10 +
                    (digits[3] - '0');
  const bool issued = std::ranges::any_of(kCards, [&](const Card& card) {
    return begin >= card.from && begin <= card.to && digits.size() >= card.shortest &&
           digits.size() <= card.longest;
  });
  return issued && passes_luhn(digits);
}

}  // namespace

Found card(const Place& place) {
  if (!is_digit(place.text[place.at]) || follows_number(place)) return {};
  const Digits digits = digits_of(place.rest(), " -", 20);
  if (!is_card(digits.value) || !ends_at(place.rest(), digits.length)) return {};
  return Sensitive{place.at, place.at + digits.length, "CARD"};
}

namespace {

// ISO 7064 MOD 97-10 over the account with its first four characters moved to the end.
bool passes_97(std::string_view account) {
  int rest = 0;
  for (std::size_t i = 0; i < account.size(); ++i) {
    const char c = account[(i + 4) % account.size()];
    rest = is_digit(c) ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  return rest == 1;
}

}  // namespace

Found iban(const Place& place) {
  const std::string_view rest = place.rest();
  if (rest.size() < 15 || !is_digit(rest[2]) || !is_digit(rest[3])) return {};
  const auto country = std::ranges::find(kIbans, rest.substr(0, 2), &Iban::country);
  if (country == kIbans.end()) return {};
  std::string account;
  std::size_t at = 0;
  for (; at < rest.size() && account.size() < country->length; ++at) {
    if (is_digit(rest[at]) || is(rest[at], kUpper)) {
      account += rest[at];
    } else if (rest[at] != ' ' || account.size() % 4 != 0) {
      return {};
    }
  }
  if (account.size() != country->length || !passes_97(account)) return {};
  if (at < rest.size() && is_word(rest[at])) return {};
  return Sensitive{place.at, place.at + at, "IBAN"};
}

namespace {

constexpr std::string_view kPhoneSeparators = " -./()";

// The end of a number of `least` to 15 digits (ITU-T E.164) that begins at `text`; 0 if there is
// none. Groups are divided by one or two separators.
std::size_t phone_end(std::string_view text, std::size_t least) {
  std::size_t count = 0;
  std::size_t end = 0;
  std::size_t gap = 0;
  std::size_t group = 0;
  for (std::size_t at = 0; at < text.size() && count <= 15 && gap <= 2; ++at) {
    if (is_digit(text[at])) {
      ++count;
      ++group;
      end = at + 1;
      gap = 0;
    } else if (kPhoneSeparators.find(text[at]) != std::string_view::npos) {
      ++gap;
      group = 0;
    } else {
      break;
    }
  }
  const bool fits = count >= least && count <= 15 && (gap > 0 || group > 1);
  return fits && ends_at(text, end) ? end : 0;
}

// "+49 30 …": a sum like a+12345678 has something before its sign.
Found international(const Place& place) {
  const bool sum =
      place.at > 0 && (is_word(place.text[place.at - 1]) || place.text[place.at - 1] == ')' ||
                       place.text[place.at - 1] == '+');
  const std::size_t end = phone_end(place.rest().substr(1), 9);
  if (sum || end == 0 || place.text[place.at + 1] == '0') return {};
  return Sensitive{place.at, place.at + 1 + end, "PHONE"};
}

// The North American form: 555-123-4567 or (555) 123-4567.
std::size_t american_end(std::string_view text) {
  constexpr std::string_view kForms[] = {"ddd-ddd-dddd", "(ddd) ddd-dddd", "(ddd)ddd-dddd",
                                         "ddd.ddd.dddd", "(ddd) ddd dddd"};
  for (const std::string_view form : kForms) {
    if (text.size() < form.size()) continue;
    bool fits = true;
    for (std::size_t i = 0; i < form.size() && fits; ++i) {
      fits = form[i] == 'd' ? is_digit(text[i]) : text[i] == form[i];
      // Area codes begin with 2 to 9.
      if (i == form.find('d')) fits = fits && text[i] >= '2';
    }
    if (fits && ends_at(text, form.size())) return form.size();
  }
  return 0;
}

// Whether the words before name what follows: "Tel. 030 …".
bool is_named(const Place& place) {
  constexpr std::size_t kFar = 24;
  constexpr std::string_view kNames[] = {"tel",     "phone", "mobil", "fax",
                                         "call me", "cell",  "handy", "whatsapp"};
  const std::size_t begin = place.at > kFar ? place.at - kFar : 0;
  const std::string before = lower(place.text.substr(begin, place.at - begin));
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return before.find(name) != std::string::npos; });
}

}  // namespace

Found phone(const Place& place) {
  if (place.text[place.at] == '+') return international(place);
  if (follows_number(place)) return {};
  if (const std::size_t end = american_end(place.rest())) {
    return Sensitive{place.at, place.at + end, "PHONE"};
  }
  const char first = place.text[place.at] == '(' ? place.text[place.at + 1] : place.text[place.at];
  if (!is_digit(first) || !is_named(place)) return {};
  const std::size_t open = place.text[place.at] == '(' ? 1 : 0;
  const std::size_t end = phone_end(place.rest().substr(open), first == '0' ? 8 : 9);
  if (end == 0) return {};
  return Sensitive{place.at, place.at + open + end, "PHONE"};
}

namespace {

// Names of files and packages look like addresses, too: icon@2x.png.
bool is_top_domain(std::string_view label) {
  constexpr std::string_view kFiles[] = {"png", "jpg",  "jpeg", "gif", "svg",  "webp", "js",
                                         "css", "json", "py",   "ts",  "html", "tgz"};
  return label.size() >= 2 && label.size() <= 24 && std::ranges::all_of(label, is_letter) &&
         std::ranges::find(kFiles, lower(label)) == std::end(kFiles);
}

// The end of the domain that begins at `begin`; 0 if there is none.
std::size_t domain_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  constexpr std::size_t kLongest = 253;  // RFC 1035.
  while (end < text.size() && end - begin < kLongest &&
         (is_alnum(text[end]) || text[end] == '-' || text[end] == '.')) {
    ++end;
  }
  while (end > begin && !is_alnum(text[end - 1])) --end;
  const std::size_t dot = text.substr(begin, end - begin).rfind('.');
  if (dot == std::string_view::npos || dot == 0) return 0;
  return is_top_domain(text.substr(begin + dot + 1, end - begin - dot - 1)) ? end : 0;
}

}  // namespace

// RFC 5321 without quoted names.
Found mail_address(const Place& place) {
  const std::string_view text = place.text;
  std::size_t begin = place.at;
  const auto in_name = [](char c) {
    return is_alnum(c) || std::string_view("._%+-").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  while (begin > place.floor && place.at - begin < 64 && in_name(text[begin - 1])) --begin;
  const bool escape = begin > place.floor && text[begin - 1] == '\\' && begin < place.at &&
                      std::string_view("bfnrt").find(text[begin]) != std::string_view::npos;
  if (escape) ++begin;
  while (begin < place.at && !is_alnum(text[begin]) &&
         static_cast<unsigned char>(text[begin]) < 0x80) {
    ++begin;
  }
  const std::size_t end = domain_end(text, place.at + 1);
  if (begin == place.at || end == 0) return {};
  // git@host:path is where a repository lies.
  if (text.substr(begin, place.at - begin) == "git" && end < text.size() && text[end] == ':')
    return {};
  return Sensitive{begin, end, "EMAIL"};
}

}  // namespace hone::sensitive
