#include "hone/schema/demand.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/schema/number.h"
#include "hone/schema/uri.h"

namespace hone::schema {
namespace {

constexpr int kMaxHops = 64;       // Of references to references.
constexpr int kMaxBranches = 256;  // Looked at for one place; choices may contain themselves.

const Json* member(const Json& schema, std::string_view name) {
  if (!schema.is_object()) return nullptr;
  const auto found = schema.find(name);
  return found == schema.end() ? nullptr : &*found;
}

Types named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Types>, 7> kNames{{
      {"null", kNull},
      {"boolean", kBoolean},
      {"integer", kInteger},
      {"number", kInteger | kFraction},
      {"string", kString},
      {"array", kArray},
      {"object", kObject},
  }};
  const auto found = std::ranges::find(kNames, name, &std::pair<std::string_view, Types>::first);
  return found == kNames.end() ? kAnyType : found->second;
}

Types listed(const Json& type) {
  if (type.is_string()) return named(type.get_ref<const std::string&>());
  Types types = 0;
  for (const Json& name : type) types |= named(name.get_ref<const std::string&>());
  return types;
}

const Json* property_schema(const Json& schema, std::string_view name) {
  const Json* properties = member(schema, "properties");
  if (properties != nullptr) {
    if (const Json* found = member(*properties, name)) return found;
  }
  // Whether a pattern takes the name is not asked.
  if (member(schema, "patternProperties") != nullptr) return nullptr;
  return member(schema, "additionalProperties");
}

const Json* item_schema(const Json& schema, std::size_t index) {
  const Json* items = member(schema, "items");
  const Json* first = member(schema, "prefixItems");
  const Json* rest = items;
  if (first == nullptr && items != nullptr && items->is_array()) {
    first = items;
    rest = member(schema, "additionalItems");
  }
  if (first != nullptr && first->is_array() && index < first->size()) return &(*first)[index];
  return rest;
}

// Where references in a document at `uri` start.
std::string named(const Json& document, const std::string& uri) {
  const Json* id = member(document, "$id");
  return id != nullptr && id->is_string() ? resolved(uri, id->get_ref<const std::string&>()) : uri;
}

}  // namespace

Demands::Demands(Json schema, const SchemaOptions& options)
    : schema_(std::make_unique<const Json>(std::move(schema))) {
  for (const Document& document : options.documents) {
    documents_[document.uri] = std::make_unique<const Json>(parse_json(document.text));
  }
  follow(*schema_, named(*schema_, options.base), *schema_);
  for (const auto& [uri, document] : documents_)
    follow(*document, named(*document, uri), *document);
  const Json* draft = member(*schema_, "$schema");
  if (draft == nullptr || !draft->is_string()) return;
  const auto& name = draft->get_ref<const std::string&>();
  references_stand_alone_ = name.find("/draft-0") != std::string::npos;
  integers_are_written_so_ = name.find("/draft-04") != std::string::npos;
}

Demands::~Demands() = default;
Demands::Demands(Demands&&) noexcept = default;

Schemas Demands::root() const {
  Schemas found;
  gather(*schema_, found);
  return found;
}

void Demands::gather(const Json& schema, Schemas& found, int hops) const {
  if (hops == kMaxHops || !schema.is_object() || std::ranges::find(found, &schema) != found.end())
    return;
  // References below another $id lead from there.
  if (schema.contains("$id") && !is_document(schema)) return;
  const auto aims_at = targets_.find(&schema);
  const Json* aim = aims_at == targets_.end() ? nullptr : aims_at->second;
  if (aim == nullptr || !references_stand_alone_) found.push_back(&schema);
  if (aim != nullptr) return gather(*aim, found, hops + 1);
  const Json* all = member(schema, "allOf");
  if (all != nullptr && all->size() == 1) gather(all->front(), found, hops + 1);
}

bool Demands::is_document(const Json& schema) const {
  const auto is_this = [&](const auto& document) { return document.second.get() == &schema; };
  return &schema == schema_.get() || std::ranges::any_of(documents_, is_this);
}

void Demands::follow(const Json& value, const std::string& uri, const Json& document) {
  if (!value.is_structured()) return;
  const Json* reference = member(value, "$ref");
  if (reference != nullptr && reference->is_string()) {
    const Json* aim = target(reference->get_ref<const std::string&>(), uri, document);
    if (aim != nullptr) targets_.emplace(&value, aim);
  }
  for (const Json& below : value) follow(below, uri, document);
}

const Json* Demands::target(std::string_view reference, const std::string& uri,
                            const Json& document) const {
  const Json* whole = &document;
  if (!reference.starts_with('#')) {
    const std::string target = resolved(uri, reference);
    const auto found = documents_.find(without_fragment(target));
    if (found == documents_.end()) return nullptr;
    whole = found->second.get();
  }
  try {
    const Json::json_pointer pointer{unescaped(fragment_of(reference))};
    return whole->contains(pointer) ? &whole->at(pointer) : nullptr;
  } catch (const Json::exception&) {
    return nullptr;  // An anchor.
  }
}

Types Demands::types(const Schemas& schemas) const {
  int branches = 0;
  return types(schemas, branches);
}

Types Demands::types(const Schemas& schemas, int& branches) const {
  Types allowed = kAnyType;
  for (const Json* schema : schemas) allowed &= own_types(*schema, branches);
  return allowed;
}

Types Demands::own_types(const Json& schema, int& branches) const {
  const Json* type = member(schema, "type");
  Types allowed = type == nullptr ? kAnyType : listed(*type);
  for (const std::string_view choice : {"anyOf", "oneOf"}) {
    const Json* forms = member(schema, choice);
    if (forms == nullptr) continue;
    Types any = 0;
    for (const Json& form : *forms) {
      if (++branches > kMaxBranches) return kAnyType;
      Schemas found;
      gather(form, found);
      if (form != Json(false)) any |= types(found, branches);
    }
    allowed &= any;
  }
  return allowed;
}

void Demands::gather_only_branch(const Json& schema, Types type, Schemas& found) const {
  for (const std::string_view choice : {"anyOf", "oneOf"}) {
    const Json* branches = member(schema, choice);
    if (branches == nullptr) continue;
    std::vector<Schemas> fitting;
    for (const Json& branch : *branches) {
      Schemas schemas;
      gather(branch, schemas);
      if ((types(schemas) & type) != 0) fitting.push_back(std::move(schemas));
    }
    if (fitting.size() == 1) found.insert(found.end(), fitting[0].begin(), fitting[0].end());
  }
}

Schemas Demands::with_branches(const Schemas& schemas, Types type) const {
  Schemas found = schemas;
  // `found` grows by branches, which may have choices of their own.
  for (std::size_t i = 0; i < found.size() && i < 64; ++i)
    gather_only_branch(*found[i], type, found);
  return found;
}

Schemas Demands::of_property(const Schemas& schemas, std::string_view name) const {
  Schemas found;
  for (const Json* schema : with_branches(schemas, kObject)) {
    if (const Json* below = property_schema(*schema, name)) gather(*below, found);
  }
  return found;
}

Schemas Demands::of_item(const Schemas& schemas, std::size_t index) const {
  Schemas found;
  for (const Json* schema : with_branches(schemas, kArray)) {
    if (const Json* below = item_schema(*schema, index)) gather(*below, found);
  }
  return found;
}

Types Demands::type_of(Kind kind, std::string_view text) const {
  switch (kind) {
    case Kind::Null:
      return kNull;
    case Kind::Boolean:
      return kBoolean;
    case Kind::String:
      return kString;
    case Kind::Array:
      return kArray;
    case Kind::Object:
      return kObject;
    case Kind::Number:
      break;
  }
  const bool whole =
      integers_are_written_so_ ? text.find_first_of(".eE") == text.npos : is_whole(text);
  return whole ? kInteger : kFraction;
}

}  // namespace hone::schema
