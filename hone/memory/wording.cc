#include "hone/memory/wording.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "hone/base/redact.h"
#include "hone/base/text.h"

namespace hone::memory {
namespace {

constexpr std::string_view kCredential = "a credential";
constexpr std::string_view kMail = "an e-mail address";
constexpr std::string_view kPhone = "a telephone number";
constexpr std::string_view kInternal = "an internal address";
constexpr std::array<std::string_view, 8> kInternalEndings{
    ".internal", ".local", ".corp", ".lan", ".intranet", ".localdomain", ".private", ".home.arpa"};
constexpr std::array<std::string_view, 9> kSecretNames{
    "password", "passwd", "secret", "api_key", "api-key", "apikey", "token", "passphrase", "pwd"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Characters of addresses: hosts, mail, URLs.
bool is_in_address(char c) {
  return is_alnum(c) || std::string_view("._-@:/+%?=&~#").find(c) != std::string_view::npos;
}

std::optional<int> octet(std::string_view text) {
  int value = -1;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || text.size() > 3 || value > 255)
    return std::nullopt;
  return value;
}

bool is_ip(std::string_view host) {
  const auto parts = split(host, '.');
  const bool four = parts.size() == 4 && std::ranges::all_of(parts, [](const std::string& part) {
                      return octet(part).has_value();
                    });
  return four && host != "127.0.0.1" && host != "0.0.0.0";
}

bool is_internal(std::string_view host) {
  const std::string small = lower(host);
  return is_ip(small) || std::ranges::any_of(kInternalEndings, [&](std::string_view ending) {
           return small.size() > ending.size() && small.ends_with(ending);
         });
}

// The host of an address: without scheme, user, port and path.
std::string_view host_of(std::string_view address) {
  if (const auto scheme = address.find("://"); scheme != address.npos)
    address.remove_prefix(scheme + 3);
  address = address.substr(0, address.find('/'));
  if (const auto user = address.find('@'); user != address.npos) address.remove_prefix(user + 1);
  return address.substr(0, address.find(':'));
}

bool is_mail(std::string_view address) {
  const auto at = address.find('@');
  if (at == address.npos || at == 0 || address.find("://") != address.npos) return false;
  const std::string_view host = address.substr(at + 1);
  const auto dot = host.rfind('.');
  return dot != host.npos && dot > 0 && dot + 2 < host.size() && is_alnum(host.front()) &&
         std::ranges::all_of(host, [](char c) { return is_alnum(c) || c == '.' || c == '-'; });
}

std::optional<std::string_view> wording_of(std::string_view address) {
  if (is_mail(address)) return kMail;
  if (is_internal(host_of(address))) return kInternal;
  return std::nullopt;
}

std::string without_addresses(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto length =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_in_address) - text.begin());
    std::string_view address = text.substr(0, length);
    while (!address.empty() && std::string_view(".,:;?").find(address.back()) != address.npos)
      address.remove_suffix(1);
    const auto wording = address.empty() ? std::nullopt : wording_of(address);
    if (wording) {
      out += *wording;
      out += text.substr(address.size(), length - address.size());
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
    if (text.empty()) break;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

// The length of a telephone number with its country code at the start of `text`; 0 for none.
std::size_t phone_length(std::string_view text) {
  if (text.front() != '+') return 0;
  std::size_t digits = 0;
  std::size_t end = 1;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (is_digit(text[at])) {
      ++digits;
      end = at + 1;
    } else if (std::string_view(" -()/").find(text[at]) == std::string_view::npos) {
      break;
    }
  }
  return digits >= 8 && digits <= 15 ? end : 0;
}

std::string without_phones(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = phone_length(text);
    if (length > 0)
      out += kPhone;
    else
      out += text.front();
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

// Where the value begins that "password: …" or "token=…" at the start of `small` gives; 0 for none.
std::size_t value_after_name(std::string_view small) {
  for (const std::string_view name : kSecretNames) {
    if (!small.starts_with(name)) continue;
    std::size_t at = name.size();
    while (at < small.size() && (small[at] == ' ' || small[at] == '"')) ++at;
    if (at == small.size() || (small[at] != ':' && small[at] != '=')) continue;
    ++at;
    while (at < small.size() && (small[at] == ' ' || small[at] == '"' || small[at] == '\'')) ++at;
    return at;
  }
  return 0;
}

std::string without_passwords(std::string_view text) {
  const std::string small = lower(text);
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t value = value_after_name(std::string_view(small).substr(at));
    std::size_t end = at + value;
    while (value > 0 && end < text.size() &&
           std::isspace(static_cast<unsigned char>(text[end])) == 0)
      ++end;
    // A word of prose after a colon is no password: "the token: it expires".
    const std::string_view secret = text.substr(at + value, end - at - value);
    const bool is_secret =
        value > 0 && secret.size() >= 4 && std::ranges::any_of(secret, [](char c) {
          return is_digit(c) || std::ispunct(static_cast<unsigned char>(c)) != 0;
        });
    if (is_secret) {
      out.append(text.substr(at, value)).append(kCredential);
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

// The redactor's placeholders, such as [openai_key_1], that were not in the text before.
std::string without_placeholders(std::string text, std::string_view before) {
  std::size_t start = 0;
  while ((start = text.find('[', start)) != text.npos) {
    const std::size_t end = text.find(']', start);
    if (end == text.npos) break;
    const std::string placeholder = text.substr(start, end - start + 1);
    const bool ours = placeholder.size() > 4 && is_digit(placeholder[placeholder.size() - 2]) &&
                      placeholder.find('_') != placeholder.npos &&
                      placeholder.find(' ') == placeholder.npos &&
                      before.find(placeholder) == before.npos;
    if (ours) text.replace(start, placeholder.size(), kCredential);
    start += ours ? kCredential.size() : 1;
  }
  return text;
}

}  // namespace

std::string generic(std::string_view text) {
  Redactor redactor;
  std::string clean = without_placeholders(redactor.redact(text), text);
  clean = without_passwords(clean);
  return without_phones(without_addresses(clean));
}

StoredLesson generic(StoredLesson lesson) {
  core::Reflection& reflection = lesson.reflection;
  for (std::string* text :
       {&lesson.text, &lesson.conditions, &lesson.task, &lesson.provenance.evidence,
        &reflection.text, &reflection.what_happened, &reflection.what_went_wrong, &reflection.why,
        &reflection.do_differently, &reflection.rule, &reflection.principle,
        &reflection.procedure}) {
    if (!text->empty()) *text = generic(*text);
  }
  return lesson;
}

}  // namespace hone::memory
