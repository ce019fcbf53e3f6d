#include "hone/base/sensitive.h"

#include <algorithm>
#include <bitset>

#include "hone/base/sensitive_finders.h"
#include "hone/base/sensitive_rules.h"

namespace hone {
namespace sensitive {
namespace {

// What may lie at two bytes: a set of these.
enum Lead : std::uint8_t {
  kKey = 1,
  kNumber = 2,  // Card, phone.
  kAccount = 4,
  kAddress = 8,
  kAssigned = 16,
  kMail = 32,
  kUrl = 64,
  kHost = 128
};
using Leads = std::array<std::uint8_t, 65536>;

std::size_t pair(char first, char second) {
  return static_cast<std::size_t>(static_cast<unsigned char>(first)) << 8 |
         static_cast<unsigned char>(second);
}

void lead_with_any(Leads& leads, char first, int second, Lead lead) {
  for (int c = 0; c < 256; ++c) {
    if (is(static_cast<char>(c), second)) leads[pair(first, static_cast<char>(c))] |= lead;
  }
}

void lead_with(Leads& leads, std::string_view begin, Lead lead) {
  leads[pair(begin[0], begin[1])] |= lead;
}

void add_secrets(Leads& leads) {
  for (const KeyRule& rule : kKeyRules) lead_with(leads, rule.prefix, kKey);
  lead_with(leads, "--", kKey);
  lead_with(leads, ":/", kUrl);
  constexpr int kValue = kDigit | kLower | kUpper | kSpace | kWordMark | kBase64Mark;
  for (const char mark : {'=', ':'}) {
    lead_with_any(leads, mark, kValue, kAssigned);
    for (const char c : {'"', '\'', '\\', '!', '#', '$', '%', '&', '*', '@', '^'})
      leads[pair(mark, c)] |= kAssigned;
  }
  // "name": "value"
  for (const char quote : {'"', '\''}) leads[pair(quote, ':')] |= kAssigned;
}

void add_personal(Leads& leads) {
  lead_with_any(leads, '@', kDigit | kLower | kUpper, kMail);
  for (const char digit : std::string_view("0123456789")) {
    lead_with_any(leads, digit, kDigit, kNumber);
  }
  lead_with_any(leads, '+', kDigit, kNumber);
  lead_with_any(leads, '(', kDigit, kNumber);
  for (const Iban& account : kIbans) lead_with(leads, account.country, kAccount);
}

void add_infrastructure(Leads& leads) {
  for (const char* begin : {"10", "17", "19", "16", "fd", "fc", "fe", "FD", "FC", "FE"}) {
    lead_with(leads, begin, kAddress);
  }
  for (const std::string_view suffix : kInternalSuffixes) lead_with(leads, suffix, kHost);
}

const Leads& leads() {
  static const Leads table = [] {
    Leads made{};
    add_secrets(made);
    add_personal(made);
    add_infrastructure(made);
    return made;
  }();
  return table;
}

Found secret_at(const Place& place, int lead) {
  Found found;
  if ((lead & kUrl) != 0) found = url_with_password(place);
  if (!found && (lead & kAssigned) != 0) found = assigned_secret(place);
  if (found || (lead & kKey) == 0) return found;
  if (place.text[place.at] == '-') return private_key(place);
  return begins_word(place) ? key(place) : std::nullopt;
}

Found personal_at(const Place& place, int lead) {
  if ((lead & kMail) != 0) return mail_address(place);
  if ((lead & (kNumber | kAccount)) == 0 || !begins_word(place)) return {};
  if ((lead & kAccount) != 0) return iban(place);
  const Found found = card(place);
  return found ? found : phone(place);
}

Found infrastructure_at(const Place& place, int lead) {
  if ((lead & kUrl) != 0) return internal_url(place);
  if ((lead & kHost) != 0) return internal_host(place);
  return (lead & kAddress) != 0 && begins_word(place) ? private_address(place) : std::nullopt;
}

Found anything_at(const Place& place, int lead, const Redaction& redaction) {
  Found found;
  if (redaction.secrets) found = secret_at(place, lead);
  if (!found && redaction.personal) found = personal_at(place, lead);
  if (!found && redaction.infrastructure) found = infrastructure_at(place, lead);
  return found;
}

}  // namespace

bool begins_word(const Place& place) {
  if (place.at == 0 || !is_word(place.text[place.at - 1])) return true;
  const std::string_view before = place.text.substr(0, place.at);
  return before.size() > 1 && before[before.size() - 2] == '\\' &&
         std::string_view("bfnrt").find(before.back()) != std::string_view::npos;
}

namespace {

// One part of it: letters and digits in turn, or capitals in the middle of small letters.
bool is_random_part(std::string_view part) {
  int turns = 0;
  int digits = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    digits += is_digit(part[i]) ? 1 : 0;
    turns += i > 0 && kClasses[static_cast<unsigned char>(part[i])] !=
                          kClasses[static_cast<unsigned char>(part[i - 1])]
                 ? 1
                 : 0;
  }
  const bool mixed = digits > 0 && (turns >= 2 || (turns == 1 && part.size() >= 16));
  return part.size() >= 8 && (mixed || turns >= 5);
}

bool has_variety(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<unsigned char>(c));
  return seen.count() >= 6;
}

}  // namespace

bool looks_random(std::string_view text) {
  if (!has_variety(text)) return false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_alnum(text[i])) continue;
    if (is_random_part(text.substr(begin, i - begin))) return true;
    begin = i + 1;
  }
  return false;
}

}  // namespace sensitive

std::optional<Sensitive> find_sensitive(std::string_view text, std::size_t from,
                                        const Redaction& redaction) {
  const sensitive::Leads& leads = sensitive::leads();
  for (std::size_t at = from; at + 1 < text.size(); ++at) {
    const int lead = leads[sensitive::pair(text[at], text[at + 1])];
    if (lead == 0) continue;
    const auto found = sensitive::anything_at({text, at, from}, lead, redaction);
    if (found) return found;
  }
  return std::nullopt;
}

namespace {

constexpr std::array<std::string_view, 12> kOtherKinds{
    "EMAIL",       "PHONE",    "CARD",         "IBAN",
    "PRIVATE_KEY", "PASSWORD", "SECRET",       "CONNECTION_STRING",
    "ADDRESS",     "HOST",     "INTERNAL_URL", "LITERAL"};

bool is_kind(std::string_view name) {
  const auto rule = std::ranges::find(sensitive::kKeyRules, name, &sensitive::KeyRule::kind);
  return rule != sensitive::kKeyRules.end() ||
         std::ranges::find(kOtherKinds, name) != kOtherKinds.end();
}

}  // namespace

std::size_t placeholder_length(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() < 4 || text[0] != '[' || !sensitive::is(text[1], sensitive::kUpper)) return 0;
  const std::size_t end = text.substr(0, kLongest).find(']');
  if (end == std::string_view::npos) return 0;
  const std::string_view inside = text.substr(1, end - 1);
  const std::size_t line = inside.rfind('_');
  if (line == std::string_view::npos || line + 1 == inside.size()) return 0;
  const std::string_view number = inside.substr(line + 1);
  if (!std::ranges::all_of(number, sensitive::is_digit) || !is_kind(inside.substr(0, line)))
    return 0;
  return end + 1;
}

}  // namespace hone
