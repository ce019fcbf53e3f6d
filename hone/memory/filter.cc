#include "hone/memory/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::memory {
namespace {

constexpr std::array<std::string_view, 9> kOnMembers{"$eq",  "$ne", "$gt",  "$gte",   "$lt",
                                                     "$lte", "$in", "$nin", "$exists"};
constexpr std::array<std::string_view, 3> kAround{"$and", "$or", "$not"};
constexpr std::string_view kHint =
    "write {\"member\": value} or {\"member\": {\"$gte\": value}}; operators: $eq $ne $gt $gte $lt "
    "$lte $in $nin $exists $and $or $not";

[[noreturn]] void refuse(std::string message) {
  throw Error(ErrorKind::InvalidInput, "filter: " + std::move(message), std::string(kHint));
}

void check_condition(const Json& condition);

void check_operator(const std::string& name, const Json& operand) {
  if (name == "$not" && operand.is_object()) {
    for (const auto& [inner, value] : operand.items()) check_operator(inner, value);
    return;
  }
  if (std::ranges::find(kOnMembers, name) == kOnMembers.end())
    refuse(fmt::format("there is no operator `{}` for a member", name));
  if ((name == "$in" || name == "$nin") && !operand.is_array())
    refuse(fmt::format("`{}` wants a list", name));
  if (name == "$exists" && !operand.is_boolean()) refuse("`$exists` wants true or false");
}

void check_around(const std::string& name, const Json& operand) {
  if (std::ranges::find(kAround, name) == kAround.end())
    refuse(fmt::format("there is no operator `{}` around conditions", name));
  if (name == "$not") return check_condition(operand);
  if (!operand.is_array() || operand.empty()) refuse(fmt::format("`{}` wants a list", name));
  for (const Json& condition : operand) check_condition(condition);
}

void check_condition(const Json& condition) {
  if (!condition.is_object()) refuse("a condition has to be an object");
  for (const auto& [name, value] : condition.items()) {
    if (name.starts_with('$')) {
      check_around(name, value);
    } else if (value.is_object()) {
      for (const auto& [inner, operand] : value.items()) check_operator(inner, operand);
    }
  }
}

const Json* member_at(const Json& members, const std::string& path) {
  if (const auto whole = members.find(path); whole != members.end()) return &*whole;
  const Json* at = &members;
  for (const std::string& step : split(path, '.')) {
    if (!at->is_object()) return nullptr;
    const auto next = at->find(step);
    if (next == at->end()) return nullptr;
    at = &*next;
  }
  return at;
}

// Negative, zero, positive; absent for what has no order.
std::optional<int> order(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number()) {
    const auto one = left.get<double>();
    const auto two = right.get<double>();
    return one < two ? -1 : one > two ? 1 : 0;
  }
  if (left.is_string() && right.is_string()) {
    return left.get_ref<const std::string&>().compare(right.get_ref<const std::string&>());
  }
  return std::nullopt;
}

bool is_in(const Json* member, const Json& list) {
  return member != nullptr &&
         std::ranges::any_of(list, [member](const Json& value) { return value == *member; });
}

bool fits_operator(const Json* member, const std::string& name, const Json& operand) {
  if (name == "$eq") return member != nullptr && *member == operand;
  if (name == "$ne") return member == nullptr || *member != operand;
  if (name == "$in") return is_in(member, operand);
  if (name == "$nin") return !is_in(member, operand);
  if (name == "$exists") return (member != nullptr) == operand.get<bool>();
  if (name == "$not") {
    return !std::ranges::all_of(operand.items(), [member](const auto& inner) {
      return fits_operator(member, inner.key(), inner.value());
    });
  }
  const auto compared = member == nullptr ? std::nullopt : order(*member, operand);
  if (!compared) return false;
  if (name == "$gt") return *compared > 0;
  if (name == "$gte") return *compared >= 0;
  if (name == "$lt") return *compared < 0;
  return *compared <= 0;
}

bool fits_member(const Json* member, const Json& wanted) {
  if (wanted.is_array()) return is_in(member, wanted);
  if (!wanted.is_object()) return fits_operator(member, "$eq", wanted);
  return std::ranges::all_of(wanted.items(), [member](const auto& one) {
    return fits_operator(member, one.key(), one.value());
  });
}

bool fits_condition(const Json& members, const Json& condition) {
  const auto inner = [&](const Json& one) { return fits_condition(members, one); };
  return std::ranges::all_of(condition.items(), [&](const auto& entry) {
    const std::string& name = entry.key();
    if (name == "$and") return std::ranges::all_of(entry.value(), inner);
    if (name == "$or") return std::ranges::any_of(entry.value(), inner);
    if (name == "$not") return !inner(entry.value());
    return fits_member(member_at(members, name), entry.value());
  });
}

}  // namespace

Filter::Filter() : condition_(std::make_shared<const Json>(Json::object())) {}

Filter::Filter(std::string_view text) {
  Json condition;
  try {
    condition = parse_json(text, {.depth = 50, .bytes = 64 * 1024});
  } catch (const Error& error) {
    refuse(error.message());
  }
  check_condition(condition);
  condition_ = std::make_shared<const Json>(std::move(condition));
}

bool Filter::is_empty() const { return condition_->empty(); }
bool Filter::fits(const StoredLesson& lesson) const { return is_empty() || fits(to_json(lesson)); }
bool Filter::fits(const Json& members) const { return fits_condition(members, *condition_); }

}  // namespace hone::memory
