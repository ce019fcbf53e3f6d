// Takes typed values out of a document; what does not fit is an error that names file, line, column
// and key.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/yaml/parse.h"

namespace hone::yaml {

class Fields;

// One value and what messages call it. The document outlives it. All readers throw InvalidInput,
// such as "task.yaml:3:13: `stop.attempts` must be a whole number, this is the text "three"".
class Field {
 public:
  // The whole document.
  explicit Field(const Document& document);

  const Node& node() const { return *node_; }
  Position at() const { return node_->at; }
  // The keys that lead here ("stop.attempts"), empty for the whole document. Items of a list are
  // called like the list.
  const std::string& name() const { return name_; }
  bool is_null() const { return node_->is_null(); }
  bool is_false() const;

  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

  bool boolean() const;
  std::int64_t whole(std::int64_t least, std::int64_t most = kMost) const;
  // A whole number counts as a number.
  double number(double least, double most) const;
  std::string text() const;
  // A whole number, or text such as "20k".
  std::int64_t count(std::int64_t least) const;
  // Seconds as a number, or text such as "90s".
  Duration duration() const;
  std::vector<Field> list() const;
  // `known` are the keys that may stand there, and lives as long as the result.
  Fields mapping(std::span<const std::string_view> known) const;
  // The value as JSON text, whatever its type is.
  JsonText json() const;

  // "file:line:column: message".
  Error error(std::string_view message, std::string hint = {}) const;
  // "file:line:column: `name` must be …, this is …".
  Error must_be(std::string_view what, std::string hint = {}) const;

 private:
  friend class Fields;
  Field(std::string_view file, const Node& node, std::string name);

  std::string_view file_;
  const Node* node_;
  std::string name_;
};

// A mapping of which all keys are known.
class Fields {
 public:
  // Throws InvalidInput when `field` is no mapping, or for the first key that is not in `known`,
  // with the nearest one.
  Fields(Field field, std::span<const std::string_view> known);

  // The value of a key, absent if it is not there; a null is there. `key` is one of the known ones.
  std::optional<Field> find(std::string_view key) const;
  // The same; throws InvalidInput when it is not there.
  Field get(std::string_view key) const;
  // The values of those keys that are there, in the order of the file.
  std::vector<Field> all() const;
  const Field& field() const { return field_; }

 private:
  Field child(const Member& member) const;
  Error unknown(const Member& member) const;

  Field field_;
  std::span<const std::string_view> known_;
};

}  // namespace hone::yaml
