// URLs with passwords, and what belongs to private networks: addresses, names of hosts, URLs.
#include <algorithm>
#include <charconv>
#include <string>

#include "hone/base/sensitive_finders.h"
#include "hone/base/sensitive_rules.h"
#include "hone/base/text.h"

namespace hone::sensitive {
namespace {

struct Url {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string scheme;
  std::size_t host_begin = 0;
  std::string_view user;  // Before the "@", if there is one.
  std::string_view host;  // Without its port.
  std::string_view port;
};

std::size_t url_end(std::string_view text, std::size_t from) {
  constexpr std::string_view kEnds = " \t\n\r\"'`<>\\|";
  constexpr std::size_t kLongest = 4096;
  std::size_t end = std::min(text.substr(0, from + kLongest).find_first_of(kEnds, from),
                             std::min(text.size(), from + kLongest));
  while (end > from && std::string_view(".,;:!?)]}*").find(text[end - 1]) != std::string_view::npos)
    --end;
  return end;
}

bool is_name(char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_'; }

// The URL around "://"; none if no scheme stands before it.
std::optional<Url> url_at(const Place& place) {
  const std::string_view text = place.text;
  if (!place.rest().starts_with("://")) return {};
  Url url;
  url.begin = place.at;
  while (url.begin > place.floor && (is_alnum(text[url.begin - 1]) || text[url.begin - 1] == '+'))
    --url.begin;
  if (url.begin == place.at) return {};
  url.scheme = lower(text.substr(url.begin, place.at - url.begin));
  const std::size_t authority = place.at + 3;
  url.end = url_end(text, authority);
  const std::string_view whole = text.substr(authority, url.end - authority);
  const std::size_t path = std::min(whole.find_first_of("/?#"), whole.size());
  // A password may hold a slash that somebody forgot to escape.
  std::size_t at = whole.substr(0, path).rfind('@');
  if (at == std::string_view::npos && whole.substr(0, path).find(':') != std::string_view::npos) {
    const std::size_t later = whole.find('@');
    const bool after_port = path > 0 && is_digit(whole[path - 1]);
    if (!after_port) at = later;
  }
  const std::size_t host = at == std::string_view::npos ? 0 : at + 1;
  if (host > 0) url.user = whole.substr(0, at);
  url.host_begin = authority + host;
  std::size_t host_end = host;
  if (host < whole.size() && whole[host] == '[') {
    host_end = std::min(whole.find(']', host), whole.size());
  }
  while (host_end < whole.size() && (is_name(whole[host_end]) || whole[host_end] == ']'))
    ++host_end;
  url.host = whole.substr(host, host_end - host);
  if (host_end < whole.size() && whole[host_end] == ':') {
    std::size_t end = host_end + 1;
    while (end < whole.size() && is_digit(whole[end])) ++end;
    url.port = whole.substr(host_end + 1, end - host_end - 1);
  }
  return url;
}

bool is_stand_in(std::string_view password) {
  if (password.empty() || password.find_first_of("<>{}$%*") == 0) return true;
  if (placeholder_length(password) > 0) return true;
  const std::string small = lower(password);
  constexpr std::string_view kWords[] = {"password", "pass", "passwd", "pw", "pwd", "xxx", "xxxx"};
  return std::ranges::find(kWords, small) != std::end(kWords);
}

bool is_connection(const std::string& scheme) {
  const std::string_view base = std::string_view(scheme).substr(0, scheme.find('+'));
  return std::ranges::find(kConnectionSchemes, scheme) != kConnectionSchemes.end() ||
         std::ranges::find(kConnectionSchemes, base) != kConnectionSchemes.end();
}

}  // namespace

Found url_with_password(const Place& place) {
  const auto url = url_at(place);
  if (!url || url->user.empty()) return {};
  const std::size_t colon = url->user.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view password = url->user.substr(colon + 1);
  if (is_stand_in(password)) return {};
  if (is_connection(url->scheme)) return Sensitive{url->begin, url->end, "CONNECTION_STRING"};
  const auto begin = static_cast<std::size_t>(password.data() - place.text.data());
  return Sensitive{begin, begin + password.size(), "PASSWORD"};
}

namespace {

// The four numbers of a dotted address with which the text begins, and its length.
struct Quad {
  std::array<int, 4> parts{};
  std::size_t length = 0;
};

std::optional<Quad> quad_at(std::string_view text) {
  Quad quad;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return {};
    const auto read = std::from_chars(at, end, quad.parts[i]);
    if (read.ec != std::errc() || quad.parts[i] < 0 || quad.parts[i] > 255 || read.ptr - at > 3)
      return {};
    at = read.ptr;
  }
  quad.length = static_cast<std::size_t>(at - text.data());
  return quad;
}

// RFC 1918, RFC 3927, RFC 6598.
bool is_private(const Quad& quad) {
  const auto& [a, b, c, d] = quad.parts;
  return a == 10 || (a == 172 && b >= 16 && b <= 31) || (a == 192 && b == 168) ||
         (a == 169 && b == 254) || (a == 100 && b >= 64 && b <= 127);
}

// "10.0.0.0/8" names the range, not somebody's network.
bool is_whole_range(const Quad& quad, std::string_view after) {
  if (!after.starts_with('/')) return false;
  int bits = 0;
  std::from_chars(after.data() + 1, after.data() + after.size(), bits);
  const auto& [a, b, c, d] = quad.parts;
  if (c != 0 || d != 0) return false;
  return (a == 10 && b == 0 && bits == 8) || (a == 172 && b == 16 && bits == 12) ||
         (a == 192 && b == 168 && bits == 16) || (a == 169 && b == 254 && bits == 16) ||
         (a == 100 && b == 64 && bits == 10);
}

bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// RFC 4193 and the link-local addresses of RFC 4291: groups of up to four digits.
std::size_t long_address_length(std::string_view text) {
  std::size_t end = 0;
  std::size_t colons = 0;
  std::size_t group = 0;
  while (end < text.size() && (is_hexadecimal(text[end]) || text[end] == ':') && group <= 4) {
    group = text[end] == ':' ? 0 : group + 1;
    colons += text[end] == ':' ? 1 : 0;
    ++end;
  }
  const bool four_first = text.size() > 4 && text[4] == ':';
  const bool goes_on = end < text.size() && is_word(text[end]);
  if (!four_first || goes_on || colons < 2 || colons > 7 || group > 4) return 0;
  const std::string_view address = text.substr(0, end);
  const bool whole = colons == 7 || address.find("::") != std::string_view::npos;
  if (!whole) return 0;
  while (end > 0 && text[end - 1] == ':' && !text.substr(0, end).ends_with("::")) --end;
  return end;
}

}  // namespace

Found private_address(const Place& place) {
  const std::string_view rest = place.rest();
  if (!is_digit(rest[0])) {
    const std::string begin = lower(rest.substr(0, 4));
    const bool local = begin.starts_with("fd") || begin.starts_with("fc") || begin == "fe80";
    const std::size_t length = local ? long_address_length(rest) : 0;
    if (length == 0) return {};
    return Sensitive{place.at, place.at + length, "ADDRESS"};
  }
  const bool joined = place.at > place.floor && place.text[place.at - 1] == '.';
  const auto quad = quad_at(rest);
  if (joined || !quad || !is_private(*quad)) return {};
  const std::string_view after = rest.substr(quad->length);
  const bool longer =
      !after.empty() &&
      (is_word(after[0]) || (after[0] == '.' && after.size() > 1 && is_digit(after[1])));
  if (longer || is_whole_range(*quad, after)) return {};
  return Sensitive{place.at, place.at + quad->length, "ADDRESS"};
}

namespace {

std::string_view internal_suffix(std::string_view host) {
  for (const std::string_view suffix : kInternalSuffixes) {
    if (host.size() > suffix.size() && host.ends_with(suffix)) return suffix;
  }
  return {};
}

bool has_number_or_hyphen(std::string_view name) {
  return std::ranges::any_of(name, [](char c) { return is_digit(c) || c == '-'; });
}

// Names without a dot are only known inside: http://grafana:3000, http://build-01/.
bool is_inside_name(const Url& url) {
  constexpr std::string_view kEverywhere[] = {"localhost", "host",     "hostname", "server",
                                              "example",   "hostport", "domain",   "address"};
  if (url.host.size() < 3 || url.host.find('.') != std::string_view::npos) return false;
  if (!is_letter(url.host[0]) || std::ranges::find(kEverywhere, url.host) != std::end(kEverywhere))
    return false;
  return !url.port.empty() || has_number_or_hyphen(url.host);
}

bool is_inside(const Url& url) {
  std::string_view host = url.host;
  if (host.starts_with('[')) {
    host.remove_prefix(1);
    return private_address({host, 0, 0}).has_value();
  }
  const auto quad = quad_at(host);
  if (quad && quad->length == host.size()) return is_private(*quad);
  return !internal_suffix(lower(host)).empty() || is_inside_name(url);
}

}  // namespace

Found internal_url(const Place& place) {
  const auto url = url_at(place);
  if (!url || !is_inside(*url)) return {};
  return Sensitive{url->begin, url->end, "INTERNAL_URL"};
}

namespace {

// Code has dots as well: threading.local, com.example.internal, self.internal.
bool is_host(std::string_view host, std::string_view suffix) {
  const std::string_view name = host.substr(0, host.size() - suffix.size());
  const std::string_view first = name.substr(0, name.find('.'));
  if (std::ranges::find(kPackageRoots, lower(first)) != kPackageRoots.end()) return false;
  if (host.find('_') != std::string_view::npos) return false;
  const bool long_suffix = suffix.find('.', 1) != std::string_view::npos;
  if (long_suffix || has_number_or_hyphen(name)) return true;
  return suffix != ".local" && suffix != ".internal"
             ? true
             : name.find('.') != std::string_view::npos && suffix == ".internal";
}

}  // namespace

Found internal_host(const Place& place) {
  constexpr std::size_t kLongestHost = 253;  // RFC 1035.
  const std::string_view text = place.text;
  std::size_t begin = place.at;
  while (begin > place.floor && place.at - begin < kLongestHost && is_name(text[begin - 1]))
    --begin;
  while (begin < place.at && !is_alnum(text[begin])) ++begin;
  std::size_t end = place.at;
  while (end < text.size() && end - place.at < kLongestHost && is_name(text[end])) ++end;
  while (end > place.at && !is_alnum(text[end - 1])) --end;
  const std::string host = lower(text.substr(begin, end - begin));
  const std::string_view suffix = internal_suffix(host);
  // Its suffix begins here, or later: then that one is the place.
  if (begin == place.at || suffix.empty() || end - suffix.size() > place.at) return {};
  const bool path = begin > place.floor &&
                    (text[begin - 1] == '/' || text[begin - 1] == '\\' || text[begin - 1] == '$');
  const bool called = end < text.size() && (text[end] == '(' || text[end] == '=');
  if (path || called || !is_host(host, suffix)) return {};
  return Sensitive{begin, end, "HOST"};
}

}  // namespace hone::sensitive
