// A JSON text whose values remember where they stand, so that some can be replaced and all others
// stay byte for byte as they were written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hone::schema {

enum class Kind { Null, Boolean, Number, String, Array, Object };

struct Span {
  Kind kind = Kind::Null;
  std::size_t begin = 0;  // Of the value in the text; for strings the quotes belong to it.
  std::size_t end = 0;
  std::vector<std::string> names;  // Of an object's members, unescaped.
  std::vector<Span> values;        // Members or items, in order.
};

// The text must be JSON (parse_json has read it).
Span locate(std::string_view text);

// What a JSON string such as "a\nb" stands for.
std::string unquoted(std::string_view text);

}  // namespace hone::schema
