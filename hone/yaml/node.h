// YAML values with their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "hone/base/json.h"

namespace hone::yaml {

// Counted from 1; columns count characters, not bytes.
struct Position {
  int line = 1;
  int column = 1;

  bool operator==(const Position&) const = default;
};

struct Member;

// One value. A plain value: copied, compared and destroyed like any other.
struct Node {
  using List = std::vector<Node>;
  using Mapping = std::vector<Member>;  // In the order of the file; no two keys are equal.

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Mapping> value;
  Position at;
  // Of text: where its first character stands, behind a quote or on the line after `|`. All lines
  // of such a block begin in that column.
  Position text_at = {};

  // The value if it is of that type, else null.
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value); }

  bool operator==(const Node&) const = default;
};

struct Member {
  std::string key;  // As it stands there: the key `1` is "1".
  Position at;
  Node value;

  bool operator==(const Member&) const = default;
};

// What the value is, for messages: `the text "three"`, `the number 0.5`, `a list`, `nothing`.
std::string describe(const Node& node);
// The same value as JSON. Throws InvalidInput for infinities and NaN, which JSON has not.
Json to_json(const Node& node);

}  // namespace hone::yaml
