#include "hone/task/plain_checks.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/pattern.h"
#include "hone/schema/bundle.h"
#include "hone/schema/schema.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 2> kRegexKeys{"must", "must_not"};
constexpr std::array<std::string_view, 2> kCommandKeys{"run", "timeout"};
constexpr std::string_view kScheme = "file://";

// What follows file://; empty if the value is no such text.
std::string file_named_by(const yaml::Field& field) {
  const auto* text = field.node().get_if<std::string>();
  return text != nullptr && text->starts_with(kScheme) ? text->substr(kScheme.size()) : "";
}

// `{$ref: "file://…"}` alone is the schema in that file.
std::optional<yaml::Field> only_reference(const yaml::Field& field) {
  constexpr static std::array<std::string_view, 1> kReference{"$ref"};
  const auto* members = field.node().get_if<yaml::Node::Mapping>();
  if (members == nullptr || members->size() != 1 || members->front().key != "$ref") return {};
  auto reference = field.mapping(kReference).get("$ref");
  if (file_named_by(reference).empty()) return {};
  return reference;
}

// With the files it refers to; compiles.
JsonText whole_schema(const JsonText& schema, std::string_view file, const schema::ReadFile& read) {
  JsonText whole = schema::bundled(schema, file, read);
  const schema::Schema compiles(whole.text);
  return whole;
}

}  // namespace

std::string nonempty(const yaml::Field& field) {
  std::string text = field.text();
  if (trim(text).empty()) throw field.error(fmt::format("`{}` is empty", field.name()));
  return text;
}

// A text, or a list of them.
std::vector<std::string> texts(const yaml::Field& field) {
  if (field.node().get_if<yaml::Node::List>() == nullptr) return {nonempty(field)};
  std::vector<std::string> texts;
  for (const yaml::Field& item : field.list()) texts.push_back(nonempty(item));
  if (texts.empty()) throw field.error(fmt::format("`{}` is an empty list", field.name()));
  return texts;
}

std::vector<std::string> patterns(const yaml::Field& field) {
  std::vector<std::string> sources = texts(field);
  for (const std::string& source : sources) {
    try {
      const evaluate::Pattern compiles(source);
    } catch (const Error& failure) {
      throw field.error(failure.message(), failure.hint());
    }
  }
  return sources;
}

RegexCheck read_regex(const yaml::Field& field) {
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) return {patterns(field), {}};
  const yaml::Fields fields = field.mapping(kRegexKeys);
  RegexCheck check;
  if (const auto must = present(fields, "must")) check.must = patterns(*must);
  if (const auto must_not = present(fields, "must_not")) check.must_not = patterns(*must_not);
  if (!check.must.empty() || !check.must_not.empty()) return check;
  throw field.error(fmt::format("`{}` has no `must` and no `must_not`", field.name()));
}

SchemaCheck read_schema(const yaml::Field& field, Files& files) {
  const auto reference = only_reference(field);
  const yaml::Field& source = reference ? *reference : field;
  const std::string file = file_named_by(source);
  const bool is_schema =
      field.node().get_if<yaml::Node::Mapping>() || !file.empty() || field.node().get_if<bool>();
  if (!is_schema) throw field.must_be("a JSON Schema, or the name of one as file://NAME");
  const JsonText schema = files.value(source);
  const auto read = [&](const std::string& path) { return files.value_in(path, source.at()); };
  try {
    return {whole_schema(schema, file, read)};
  } catch (const Error& failure) {
    throw source.error(failure.message(), failure.hint());
  }
}

CommandCheck command_of(const yaml::Fields& fields) {
  CommandCheck check;
  check.run = nonempty(fields.get("run"));
  if (const auto timeout = present(fields, "timeout")) {
    check.timeout = timeout->duration();
    if (check.timeout == Duration::zero()) throw timeout->must_be("a time of more than 0 s");
  }
  return check;
}

CommandCheck read_command(const yaml::Field& field) {
  if (field.node().get_if<std::string>() == nullptr) return command_of(field.mapping(kCommandKeys));
  CommandCheck check;
  check.run = nonempty(field);
  return check;
}

SchemaCheck schema_in(const std::string& path, const std::string& called) {
  const std::filesystem::path file(path);
  Files files(called, file.parent_path());
  const std::string name = file.filename().string();
  const auto read = [&](const std::string& other) { return files.value_in(other, {}); };
  const JsonText schema = files.value_in(name, {});
  return {whole_schema(schema, name, read)};
}

std::string text_of(Duration time) {
  return fmt::format("{}ms", std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace hone::task
