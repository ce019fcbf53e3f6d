#include "hone/task/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/text_file.h"

namespace hone::task {
namespace {

constexpr std::string_view kScheme = "file://";

// What follows file://, if the value is such a text.
std::optional<std::string_view> file_name(const yaml::Node& node) {
  const auto* text = node.get_if<std::string>();
  if (text == nullptr || !text->starts_with(kScheme)) return std::nullopt;
  return std::string_view(*text).substr(kScheme.size());
}

bool holds_a_value(std::string_view name) {
  const std::array<std::string_view, 3> endings{".json", ".yaml", ".yml"};
  return std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

Files::Files(std::string file, std::filesystem::path folder)
    : file_(std::move(file)), folder_(std::move(folder)) {}

std::string Files::text(const yaml::Field& field) {
  if (const auto name = file_name(field.node())) return read(*name, field.at());
  return field.text();
}

JsonText Files::value(const yaml::Field& field) { return json(field, value_of(field.node())); }

JsonText Files::value_in(const std::string& name, yaml::Position at) {
  const yaml::Node named{std::string(kScheme) + name, at};
  return {dump(yaml::to_json(value_of(named)))};
}

JsonText Files::value_with_texts(const yaml::Field& field) {
  if (file_name(field.node())) return value(field);
  yaml::Node node = field.node();
  put_texts(node);
  return json(field, node);
}

std::string Files::read(std::string_view name, yaml::Position at) {
  if (name.empty()) throw yaml::error_at(file_, at, "`file://` names no file");
  const std::filesystem::path path = folder_ / std::filesystem::path(name);
  std::string text;
  try {
    text = model::read_text_file(path.string(), left_);
  } catch (const Error& failure) {
    throw yaml::error_at(file_, at, failure.message(), "file:// is relative to the task file");
  }
  left_ -= text.size();
  if (is_utf8(text)) return text;
  throw yaml::error_at(file_, at, fmt::format("`{}` is not UTF-8 text", path.string()));
}

yaml::Node Files::value_of(const yaml::Node& node) {
  const auto name = file_name(node);
  if (!name) return node;
  std::string text = read(*name, node.at);
  if (holds_a_value(*name)) return yaml::parse(text, (folder_ / *name).string()).root;
  return {std::move(text), node.at};
}

void Files::put_texts(yaml::Node& node) {
  if (const auto name = file_name(node)) {
    node.value = read(*name, node.at);
  } else if (auto* list = std::get_if<yaml::Node::List>(&node.value)) {
    for (yaml::Node& item : *list) put_texts(item);
  } else if (auto* mapping = std::get_if<yaml::Node::Mapping>(&node.value)) {
    for (yaml::Member& member : *mapping) put_texts(member.value);
  }
}

JsonText Files::json(const yaml::Field& field, const yaml::Node& node) {
  try {
    return {dump(yaml::to_json(node))};
  } catch (const Error& failure) {
    throw field.error(failure.message());
  }
}

}  // namespace hone::task
