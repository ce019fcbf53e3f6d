// A corpus of texts with something planted in them, and of harmless ones, made by the test itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "hone/base/sensitive_testing.h"

namespace hone {
namespace {

struct Planted {
  std::string text;
  std::string secret;  // The part that has to be gone.
};

using Make = std::function<std::string(Maker&)>;

int luhn_digit(const std::string& digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 0) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return (10 - sum % 10) % 10;
}

std::string grouped(const std::string& text, std::size_t size, char separator) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i % size == 0) result += separator;
    result += text[i];
  }
  return result;
}

std::string a_card(Maker& maker) {
  const char* const begins[] = {"4532", "5105", "2223", "6011", "6445"};
  const std::string digits = maker.any(begins) + maker.digits(11);
  const std::string whole = digits + std::to_string(luhn_digit(digits));
  const int form = maker.below(3);
  return form == 0 ? whole : grouped(whole, 4, form == 1 ? ' ' : '-');
}

std::string an_iban(Maker& maker) {
  const auto country = maker.any(sensitive::kIbans);
  const std::string account = maker.digits(country.length - 4);
  int rest = 0;
  for (const char c : account + std::string(country.country) + "00") {
    rest = c <= '9' ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  const std::string check = std::to_string(198 - rest).substr(1);
  const std::string whole = std::string(country.country) + check + account;
  return maker.below(2) == 0 ? whole : grouped(whole, 4, ' ');
}

std::string a_mail(Maker& maker) {
  const char* const names[] = {"ada", "grace.hopper", "j_doe", "anna+lists", "o-neill"};
  const char* const domains[] = {"example.org", "mail.example.com", "uni-example.de",
                                 "x.example.io"};
  return std::string(maker.any(names)) + maker.digits(2) + "@" + maker.any(domains);
}

std::string a_phone(Maker& maker) {
  switch (maker.below(4)) {
    case 0:
      return "+49 30 " + maker.digits(7);
    case 1:
      return "+1 (555) 01" + maker.digits(1) + "-" + maker.digits(4);
    case 2:
      return "555-01" + maker.digits(1) + "-" + maker.digits(4);
    default:
      return "+44" + maker.digits(10);
  }
}

std::string a_connection(Maker& maker) {
  return std::string(maker.any(sensitive::kConnectionSchemes)) + "://app:" + maker.of(kAlnum, 12) +
         "@db" + maker.digits(1) + ".example.org:5432/main";
}

std::string an_address(Maker& maker) {
  const char* const begins[] = {"10.", "192.168.", "172.16.", "169.254."};
  std::string address = maker.any(begins);
  while (std::count(address.begin(), address.end(), '.') < 3) address += maker.digits(1) + "7.";
  if (address.back() == '.') address += "4" + maker.digits(1);
  return address;
}

std::string a_host(Maker& maker) {
  return "db-" + maker.digits(2) + std::string(maker.any(sensitive::kInternalSuffixes));
}

std::string an_internal_url(Maker& maker) {
  return "https://" + (maker.below(2) == 0 ? a_host(maker) : an_address(maker)) + "/jobs/" +
         maker.digits(3);
}

std::string a_private_key(Maker& maker) {
  return "-----BEGIN EC PRIVATE KEY-----\n" + maker.of(kAlnum, 64) + "\n" + maker.of(kAlnum, 40) +
         "==\n-----END EC PRIVATE KEY-----";
}

std::string a_key(Maker& maker) {
  const auto rule = maker.any(sensitive::kKeyRules);
  return key_of(rule, maker).substr(rule.prefix.ends_with(' ') ? 0 : 0);
}

const char* const kFrames[] = {"Use @ for this.",
                               "{\"value\":\"@\"}",
                               "x = '@'",
                               "- value: @\n- other: 1",
                               "first line\n@\nlast",
                               "(@)",
                               "see: @",
                               "`@`"};

Planted plant(const std::string& secret, Maker& maker) {
  std::string frame = maker.any(kFrames);
  frame.replace(frame.find('@'), 1, secret);
  return {frame, secret};
}

TEST(Sensitive, CatchesAPlantedCorpus) {
  Maker maker;
  const Make makers[] = {a_card, an_iban,         a_mail,        a_phone, a_connection, an_address,
                         a_host, an_internal_url, a_private_key, a_key,   a_key,        a_key};
  int missed = 0;
  constexpr int kAll = 1200;
  for (int i = 0; i < kAll; ++i) {
    const auto [text, secret] =
        plant(makers[static_cast<std::size_t>(i) % std::size(makers)](maker), maker);
    // Of a bearer the word stays.
    const std::string body = secret.substr(secret.find(' ') == 6   ? 7
                                           : secret.find(' ') == 5 ? 6
                                                                   : 0);
    const bool gone = marked(text).find(body) == std::string::npos;
    missed += gone ? 0 : 1;
    EXPECT_TRUE(gone) << text;
  }
  EXPECT_LE(missed, kAll / 100);
}

std::string words(Maker& maker, const char* joint) {
  const char* const list[] = {"model", "train", "data",     "key",  "secret",  "token", "small",
                              "v2",    "api",   "password", "test", "chapter", "03",    "linear"};
  std::string text = maker.any(list);
  for (int i = 0; i < 6; ++i) text += joint + std::string(maker.any(list));
  return text;
}

TEST(Sensitive, LeavesAHarmlessCorpus) {
  Maker maker;
  const Make makers[] = {
      [](Maker& m) { return "sk-" + words(m, "-"); },
      [](Maker& m) { return words(m, " ") + "."; },
      [](Maker& m) { return words(m, "_") + " = " + words(m, "_") + "()"; },
      [](Maker& m) { return "https://example.org/" + words(m, "/"); },
      [](Maker& m) { return "commit " + m.of("0123456789abcdef", 40); },
      [](Maker& m) { return "id: " + m.digits(8) + "-" + m.digits(4); },
      [](Maker& m) { return "at 1763769" + m.digits(9) + " ns"; },
      [](Maker& m) { return "v" + m.digits(1) + "." + m.digits(2) + "." + m.digits(1); },
      [](Maker& m) { return "0." + m.digits(17) + ", 1e" + m.digits(2); },
      [](Maker& m) { return "x[" + m.digits(3) + "] += " + m.digits(5); },
      [](Maker& m) { return "2026-0" + m.digits(1) + "-1" + m.digits(1) + " 10:2" + m.digits(1); },
      [](Maker& m) { return words(m, ".") + "(" + words(m, ", ") + ")"; },
  };
  int wrong = 0;
  constexpr int kAll = 1200;
  for (int i = 0; i < kAll; ++i) {
    const std::string text = makers[static_cast<std::size_t>(i) % std::size(makers)](maker);
    wrong += marked(text) == text ? 0 : 1;
    EXPECT_EQ(marked(text), text);
  }
  EXPECT_LT(wrong, kAll / 100);
}

}  // namespace
}  // namespace hone
