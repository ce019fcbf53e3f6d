// JSON as hone reads it: ordered objects, no duplicate keys, limited depth and size.
//
// Values carry JSON as text (JsonText); the tree type stays inside source files, which include
// <nlohmann/json.hpp> themselves.
#pragma once

#include <compare>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace hone {

using Json = nlohmann::ordered_json;

// A JSON document as text. Whoever makes one has checked that it parses.
struct JsonText {
  std::string text;
  auto operator<=>(const JsonText&) const = default;
};

struct JsonLimits {
  std::size_t depth = 200;               // Nested arrays and objects.
  std::size_t bytes = 64 * 1024 * 1024;  // Length of the document.
};

// Throws InvalidInput with line and column for anything RFC 8259 does not allow, for duplicate
// keys, for numbers that overflow, and past the limits.
Json parse_json(std::string_view text, const JsonLimits& limits = {});
// The same without a reason.
std::optional<Json> try_parse_json(std::string_view text, const JsonLimits& limits = {});

// Compact text; invalid UTF-8 inside strings becomes U+FFFD.
std::string dump(const Json& value);
// Two spaces of indentation.
std::string dump_pretty(const Json& value);
// Compact text with sorted keys: equal values give equal text.
std::string dump_canonical(const Json& value);

// Looks a location like /items/0/name up (RFC 6901) and gives it as items.0.name.
std::string dotted_path(std::string_view pointer);

// The JSON value that a model's reply carries: the whole text, the content of the only or the last
// fenced block that parses, or the last top-level object or array inside prose. Absent if there is
// none. See prompt/ for readers that must not guess.
std::optional<Json> json_in_text(std::string_view text);

}  // namespace hone
