#include "hone/schema/uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "hone/base/text.h"

namespace hone::schema {
namespace {

// "scheme:", or nothing.
std::string_view scheme_of(std::string_view uri) {
  const auto end = uri.find_first_of(":/?#");
  if (end == std::string_view::npos || end == 0 || uri[end] != ':') return {};
  return uri.substr(0, end + 1);
}

// "//authority", or nothing.
std::string_view authority_of(std::string_view without_scheme) {
  if (!without_scheme.starts_with("//")) return {};
  return without_scheme.substr(0, without_scheme.find_first_of("/?#", 2));
}

std::string without_dots(std::string_view path) {
  std::vector<std::string> kept;
  const std::vector<std::string> parts = split(path, '/');
  for (const std::string& part : parts) {
    if (part == "..") {
      if (kept.size() > 1) kept.pop_back();
    } else if (part != ".") {
      kept.push_back(part);
    }
  }
  const bool names_a_folder = parts.back() == "." || parts.back() == "..";
  if (names_a_folder) kept.emplace_back();
  return join(kept, "/");
}

bool stays(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string::npos;
}

}  // namespace

std::string resolved(std::string_view base, std::string_view reference) {
  if (!scheme_of(reference).empty()) return std::string(reference);
  base = without_fragment(base);
  if (reference.empty() || reference.starts_with('#')) return fmt::format("{}{}", base, reference);
  const std::string_view scheme = scheme_of(base);
  if (reference.starts_with("//")) return fmt::format("{}{}", scheme, reference);
  const std::string_view rest = base.substr(scheme.size());
  const std::string_view authority = authority_of(rest);
  std::string_view path = rest.substr(authority.size());
  path = path.substr(0, path.find('?'));
  if (reference.starts_with('?'))
    return fmt::format("{}{}{}{}", scheme, authority, path, reference);
  const auto end = reference.find_first_of("?#");
  const std::string_view target = reference.substr(0, end);
  const std::string_view tail = end == reference.npos ? std::string_view() : reference.substr(end);
  const std::string_view folder =
      target.starts_with('/') ? std::string_view() : path.substr(0, path.rfind('/') + 1);
  return fmt::format("{}{}{}{}", scheme, authority,
                     without_dots(fmt::format("{}{}", folder, target)), tail);
}

std::string_view without_fragment(std::string_view uri) { return uri.substr(0, uri.find('#')); }

std::string_view fragment_of(std::string_view uri) {
  const auto at = uri.find('#');
  return at == std::string_view::npos ? std::string_view() : uri.substr(at + 1);
}

std::string escaped(std::string_view path) {
  std::string text;
  for (const char c : path) {
    text += stays(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string unescaped(std::string_view path) {
  std::string text;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned value = 0;
    const std::string_view digits = path.substr(std::min(i + 1, path.size()), 2);
    const auto read = std::from_chars(digits.begin(), digits.end(), value, 16);
    const bool is_escape = path[i] == '%' && digits.size() == 2 && read.ptr == digits.end();
    text += is_escape ? static_cast<char>(value) : path[i];
    if (is_escape) i += 2;
  }
  return text;
}

}  // namespace hone::schema
