#include "hone/yaml/field.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace hone::yaml {
namespace {

std::string range(std::string_view kind, std::int64_t least, std::int64_t most) {
  if (most == Field::kMost) return fmt::format("{} of at least {}", kind, least);
  return fmt::format("{} from {} to {}", kind, least, most);
}

// Absent for text that `parse` refuses.
template <class Result>
std::optional<Result> parsed(std::string_view text, Result (*parse)(std::string_view)) {
  try {
    return parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

Field::Field(const Document& document) : file_(document.file), node_(&document.root) {}

Field::Field(std::string_view file, const Node& node, std::string name)
    : file_(file), node_(&node), name_(std::move(name)) {}

bool Field::is_false() const {
  const bool* value = node_->get_if<bool>();
  return value != nullptr && !*value;
}

bool Field::boolean() const {
  if (const bool* value = node_->get_if<bool>()) return *value;
  throw must_be("true or false");
}

std::int64_t Field::whole(std::int64_t least, std::int64_t most) const {
  const auto* value = node_->get_if<std::int64_t>();
  if (value == nullptr) throw must_be("a whole number");
  if (*value < least || *value > most) throw must_be(range("a whole number", least, most));
  return *value;
}

double Field::number(double least, double most) const {
  const auto* whole = node_->get_if<std::int64_t>();
  const auto* number = node_->get_if<double>();
  if (whole == nullptr && number == nullptr) throw must_be("a number");
  const double value = whole == nullptr ? *number : static_cast<double>(*whole);
  if (value >= least && value <= most) return value;
  if (most == std::numeric_limits<double>::infinity()) {
    throw must_be(fmt::format("a number of at least {}", least));
  }
  throw must_be(fmt::format("a number from {} to {}", least, most));
}

std::string Field::text() const {
  if (const auto* text = node_->get_if<std::string>()) return *text;
  const bool is_scalar = !node_->get_if<Node::List>() && !node_->get_if<Node::Mapping>();
  throw must_be("text", is_scalar && !is_null() ? "put it in quotes" : "");
}

std::int64_t Field::count(std::int64_t least) const {
  const auto* text = node_->get_if<std::string>();
  if (text == nullptr) return whole(least);
  const auto count = parsed(*text, parse_count);
  if (!count) throw must_be("a whole number, such as 500 or 20k");
  if (*count < least) throw must_be(range("a whole number", least, kMost));
  return *count;
}

Duration Field::duration() const {
  constexpr double kMostSeconds = 1e9;
  const auto* text = node_->get_if<std::string>();
  if (text == nullptr) {
    return std::chrono::round<Duration>(std::chrono::duration<double>(number(0, kMostSeconds)));
  }
  const auto time = parsed(*text, parse_duration);
  if (!time) throw must_be("a time, such as 90s or 250ms");
  return *time;
}

std::vector<Field> Field::list() const {
  const auto* items = node_->get_if<Node::List>();
  if (items == nullptr) throw must_be("a list");
  std::vector<Field> fields;
  fields.reserve(items->size());
  for (const Node& item : *items) fields.push_back(Field(file_, item, name_));
  return fields;
}

Fields Field::mapping(std::span<const std::string_view> known) const { return {*this, known}; }

JsonText Field::json() const {
  try {
    return {dump(to_json(*node_))};
  } catch (const Error& failure) {
    throw error(failure.message());
  }
}

Error Field::error(std::string_view message, std::string hint) const {
  return error_at(file_, at(), message, std::move(hint));
}

Error Field::must_be(std::string_view what, std::string hint) const {
  const std::string name = name_.empty() ? "the document" : fmt::format("`{}`", name_);
  return error(fmt::format("{} must be {}, this is {}", name, what, describe(*node_)),
               std::move(hint));
}

}  // namespace hone::yaml
