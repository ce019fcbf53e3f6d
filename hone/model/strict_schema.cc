#include "hone/model/strict_schema.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace hone::model {
namespace {

constexpr int kDeepest = 10;  // Levels that OpenAI takes.

constexpr std::array<std::string_view, 4> kNotes{"$schema", "$comment", "default", "examples"};
constexpr std::array<std::string_view, 13> kStructure{
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf",
    "$ref", "$defs",      "title",    "description",          "format"};
constexpr std::array<std::string_view, 8> kBounds{
    "pattern",          "minimum",    "maximum",  "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minItems", "maxItems"};

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) {
  return std::ranges::find(keys, key) != keys.end();
}

bool names_type(const Json& schema, std::string_view type) {
  const auto found = schema.find("type");
  if (found == schema.end()) return false;
  if (found->is_string()) return *found == type;
  return found->is_array() && std::ranges::find(*found, Json(type)) != found->end();
}

bool takes_null(const Json& schema) {
  if (!schema.is_object()) return false;
  if (names_type(schema, "null")) return true;
  const auto any = schema.find("anyOf");
  return any != schema.end() && any->is_array() && std::ranges::any_of(*any, takes_null);
}

class Narrowing {
 public:
  explicit Narrowing(SchemaLimits limits) : limits_(limits) {}

  // False where it cannot be done; then `schema` is of no use.
  bool narrow(Json& schema, int depth) const {
    if (!schema.is_object() || depth > kDeepest) return false;
    for (const std::string_view note : kNotes) schema.erase(std::string(note));
    for (const auto& [key, value] : schema.items()) {
      if (!is_known(key)) return false;
    }
    return narrow_object(schema, depth) && narrow_all(schema, "$defs", depth) &&
           narrow_items(schema, depth) && narrow_choices(schema, depth);
  }

 private:
  bool is_known(std::string_view key) const {
    if (is_one_of(key, kStructure)) return true;
    return limits_ == SchemaLimits::Bounds && is_one_of(key, kBounds);
  }

  bool narrow_object(Json& schema, int depth) const {
    const auto properties = schema.find("properties");
    const bool has_properties = properties != schema.end();
    if (!has_properties) return !names_type(schema, "object") && !schema.contains("required");
    if (!properties->is_object() || properties->empty()) return false;
    const auto more = schema.find("additionalProperties");
    if (more != schema.end() && !more->is_boolean()) return false;
    if (!requires_all(schema, *properties)) return false;
    if (!narrow_all(schema, "properties", depth)) return false;
    Json names = Json::array();
    for (const auto& [name, value] : schema["properties"].items()) names.push_back(name);
    schema["required"] = std::move(names);
    schema["additionalProperties"] = false;
    return true;
  }

  // Whatever is asked for is required already, or may be null.
  static bool requires_all(const Json& schema, const Json& properties) {
    const Json required = schema.value("required", Json::array());
    if (!required.is_array()) return false;
    for (const Json& name : required) {
      if (!name.is_string() || !properties.contains(name.get<std::string>())) return false;
    }
    for (const auto& [name, value] : properties.items()) {
      const bool is_required = std::ranges::find(required, Json(name)) != required.end();
      if (!is_required && !takes_null(value)) return false;
    }
    return true;
  }

  bool narrow_all(Json& schema, const char* key, int depth) const {
    const auto members = schema.find(key);
    if (members == schema.end()) return true;
    if (!members->is_object()) return false;
    return std::ranges::all_of(*members, [&](Json& member) { return narrow(member, depth + 1); });
  }

  bool narrow_items(Json& schema, int depth) const {
    const auto items = schema.find("items");
    if (items == schema.end()) return !names_type(schema, "array");
    return narrow(*items, depth + 1);
  }

  bool narrow_choices(Json& schema, int depth) const {
    const auto any = schema.find("anyOf");
    if (any == schema.end()) return true;
    if (!any->is_array() || any->empty()) return false;
    return std::ranges::all_of(*any, [&](Json& member) { return narrow(member, depth + 1); });
  }

  SchemaLimits limits_;
};

}  // namespace

std::optional<Json> strict_schema(const Json& schema, SchemaLimits limits) {
  const auto type = schema.is_object() ? schema.find("type") : schema.end();
  if (!schema.is_object() || type == schema.end() || *type != "object") return std::nullopt;
  Json narrow = schema;
  if (!Narrowing(limits).narrow(narrow, 1)) return std::nullopt;
  return narrow;
}

}  // namespace hone::model
