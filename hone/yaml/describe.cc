#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/yaml/node.h"

namespace hone::yaml {
namespace {

struct Describe {
  std::string operator()(std::nullptr_t) const { return "nothing"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const {
    return fmt::format("the whole number {}", value);
  }
  std::string operator()(double value) const { return fmt::format("the number {}", value); }
  std::string operator()(const std::string& text) const {
    return fmt::format("the text \"{}\"", one_line(text, 40));
  }
  std::string operator()(const Node::List&) const { return "a list"; }
  std::string operator()(const Node::Mapping&) const { return "a mapping"; }
};

struct ToJson {
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
  Json operator()(double value) const {
    if (std::isfinite(value)) return value;
    throw Error(ErrorKind::InvalidInput, fmt::format("JSON has no number {}", value));
  }
  Json operator()(const Node::List& list) const {
    Json items = Json::array();
    for (const Node& item : list) items.push_back(to_json(item));
    return items;
  }
  Json operator()(const Node::Mapping& mapping) const {
    Json object = Json::object();
    // Past the lookup of operator[], which makes large objects quadratic; keys are unique.
    auto& members = object.get_ref<Json::object_t&>();
    members.reserve(mapping.size());
    for (const Member& member : mapping) {
      members.Container::emplace_back(member.key, to_json(member.value));
    }
    return object;
  }
};

}  // namespace

std::string describe(const Node& node) { return std::visit(Describe{}, node.value); }
Json to_json(const Node& node) { return std::visit(ToJson{}, node.value); }

}  // namespace hone::yaml
