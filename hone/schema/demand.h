// What a schema demands of the value at a place, as far as its type is concerned.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/base/json.h"
#include "hone/schema/schema.h"
#include "hone/schema/spans.h"

namespace hone::schema {

// A set of types, as bits.
using Types = std::uint8_t;
inline constexpr Types kNull = 1, kBoolean = 2, kInteger = 4, kFraction = 8, kString = 16,
                       kArray = 32, kObject = 64, kAnyType = 127;

// The schemas that all apply to one place.
using Schemas = std::vector<const Json*>;

class Demands {
 public:
  // `options` are those of the schema: its base and its documents.
  Demands(Json schema, const SchemaOptions& options);
  ~Demands();
  Demands(Demands&&) noexcept;

  // The schemas of the whole document.
  Schemas root() const;
  // The types that all of them allow.
  Types types(const Schemas& schemas) const;
  // The schemas of a member or an item of a value that has `type`.
  Schemas of_property(const Schemas& schemas, std::string_view name) const;
  Schemas of_item(const Schemas& schemas, std::size_t index) const;

  // The type of a written value: 5.0 is an integer, but not in draft 4.
  Types type_of(Kind kind, std::string_view text) const;

 private:
  void gather(const Json& schema, Schemas& found, int hops = 0) const;
  void gather_only_branch(const Json& schema, Types type, Schemas& found) const;
  // `branches` counts those of anyOf and oneOf that were looked at.
  Types own_types(const Json& schema, int& branches) const;
  Types types(const Schemas& schemas, int& branches) const;
  Schemas with_branches(const Schemas& schemas, Types type) const;
  // Notes where the references of a document lead that has no $id further in.
  bool is_document(const Json& schema) const;
  void follow(const Json& value, const std::string& uri, const Json& document);
  const Json* target(std::string_view reference, const std::string& uri,
                     const Json& document) const;

  std::unique_ptr<const Json> schema_;
  std::map<std::string, std::unique_ptr<const Json>, std::less<>> documents_;  // By URI.
  std::unordered_map<const Json*, const Json*> targets_;  // Of schemas that have a $ref.
  bool references_stand_alone_ = false;  // Up to draft 7 the siblings of a $ref do not count.
  bool integers_are_written_so_ = false;
};

}  // namespace hone::schema
