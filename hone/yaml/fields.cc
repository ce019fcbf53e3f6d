#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/yaml/field.h"

namespace hone::yaml {
namespace {

constexpr std::size_t kLongestTypo = 60;

std::string unknown_key(const Member& member, const Field& parent) {
  const std::string where = parent.name().empty() ? "" : fmt::format(" in `{}`", parent.name());
  return fmt::format("unknown key `{}`{}", one_line(member.key, kLongestTypo), where);
}

}  // namespace

Fields::Fields(Field field, std::span<const std::string_view> known)
    : field_(std::move(field)), known_(known) {
  const auto* members = field_.node().get_if<Node::Mapping>();
  if (members == nullptr) throw field_.must_be("a mapping");
  for (const Member& member : *members) {
    if (std::ranges::find(known_, member.key) == known_.end()) throw unknown(member);
  }
}

Error Fields::unknown(const Member& member) const {
  const std::vector<std::string> names(known_.begin(), known_.end());
  const std::string what = unknown_key(member, field_);
  const auto near = member.key.size() > kLongestTypo ? std::nullopt : nearest(member.key, names);
  if (near) {
    return error_at(field_.file_, member.at, fmt::format("{}; did you mean `{}`?", what, *near));
  }
  return error_at(field_.file_, member.at, what,
                  fmt::format("known here: {}", fmt::join(names, ", ")));
}

Field Fields::child(const Member& member) const {
  const std::string& parent = field_.name();
  return {field_.file_, member.value, parent.empty() ? member.key : parent + "." + member.key};
}

std::optional<Field> Fields::find(std::string_view key) const {
  HONE_CHECK(std::ranges::find(known_, key) != known_.end());
  for (const Member& member : std::get<Node::Mapping>(field_.node().value)) {
    if (member.key == key) return child(member);
  }
  return std::nullopt;
}

Field Fields::get(std::string_view key) const {
  if (auto field = find(key)) return *std::move(field);
  const std::string& parent = field_.name();
  throw field_.error(parent.empty() ? fmt::format("the key `{}` is missing", key)
                                    : fmt::format("the key `{}` is missing in `{}`", key, parent));
}

std::vector<Field> Fields::all() const {
  std::vector<Field> fields;
  for (const Member& member : std::get<Node::Mapping>(field_.node().value)) {
    fields.push_back(child(member));
  }
  return fields;
}

}  // namespace hone::yaml
