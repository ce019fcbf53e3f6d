#include "hone/task/checks.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/pattern.h"
#include "hone/schema/schema.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 13> kCheckKeys{
    "schema", "contains", "equals", "regex",    "command", "judge", "name",
    "python", "lua",      "prolog", "criteria", "compare", "tests"};
constexpr std::array<std::string_view, 2> kRegexKeys{"must", "must_not"};
constexpr std::array<std::string_view, 2> kCommandKeys{"run", "timeout"};
constexpr std::array<std::string_view, 4> kJudgeKeys{"rubric", "threshold", "samples", "always"};

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

bool names_a_file(const yaml::Field& field) {
  const auto* text = field.node().get_if<std::string>();
  return text != nullptr && text->starts_with("file://");
}

// `{$ref: "file://…"}` alone is the schema in that file.
std::optional<yaml::Field> only_reference(const yaml::Field& field) {
  constexpr static std::array<std::string_view, 1> kReference{"$ref"};
  const auto* members = field.node().get_if<yaml::Node::Mapping>();
  if (members == nullptr || members->size() != 1 || members->front().key != "$ref") return {};
  auto reference = field.mapping(kReference).get("$ref");
  if (!names_a_file(reference)) return {};
  return reference;
}

SchemaCheck schema_check(const yaml::Field& field, Files& files) {
  const auto reference = only_reference(field);
  const yaml::Field& source = reference ? *reference : field;
  const bool is_schema = field.node().get_if<yaml::Node::Mapping>() || names_a_file(field) ||
                         field.node().get_if<bool>();
  if (!is_schema) throw field.must_be("a JSON Schema, or the name of one as file://NAME");
  SchemaCheck check{files.value(source)};
  try {
    const schema::Schema compiles(check.schema.text);
  } catch (const Error& failure) {
    throw source.error(failure.message(), failure.hint());
  }
  return check;
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

RegexCheck regex_check(const yaml::Field& field) {
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) return {patterns(field), {}};
  const yaml::Fields fields = field.mapping(kRegexKeys);
  RegexCheck check;
  if (const auto must = present(fields, "must")) check.must = patterns(*must);
  if (const auto must_not = present(fields, "must_not")) check.must_not = patterns(*must_not);
  if (!check.must.empty() || !check.must_not.empty()) return check;
  throw field.error(fmt::format("`{}` has no `must` and no `must_not`", field.name()));
}

CommandCheck command_check(const yaml::Field& field) {
  CommandCheck check;
  if (field.node().get_if<std::string>() != nullptr) {
    check.run = nonempty(field);
    return check;
  }
  const yaml::Fields fields = field.mapping(kCommandKeys);
  check.run = nonempty(fields.get("run"));
  if (const auto timeout = present(fields, "timeout")) {
    check.timeout = timeout->duration();
    if (check.timeout == Duration::zero()) throw timeout->must_be("a time of more than 0 s");
  }
  return check;
}

JudgeCheck judge_check(const yaml::Field& field, Files& files, bool* always) {
  JudgeCheck check;
  if (field.is_null()) return check;
  if (field.node().get_if<std::string>() != nullptr) {
    check.rubric = files.text(field);
    return check;
  }
  const yaml::Fields fields = field.mapping(kJudgeKeys);
  if (const auto rubric = present(fields, "rubric")) check.rubric = files.text(*rubric);
  if (const auto threshold = present(fields, "threshold")) {
    check.threshold = threshold->number(0, 1);
  }
  if (const auto samples = present(fields, "samples")) {
    if (samples->whole(1, 1000) != 1) throw value_not_in_this_version(*samples);
  }
  if (const auto value = present(fields, "always")) *always = value->boolean();
  return check;
}

// The one key of a check that is not its name.
yaml::Field kind_of(const yaml::Fields& fields) {
  std::optional<yaml::Field> kind;
  for (const yaml::Field& field : fields.all()) {
    if (field.name() == "check.name") continue;
    if (kind) {
      throw field.error(
          fmt::format("one check cannot be `{}` and `{}`", kind->name(), field.name()),
          "start each check with `- ` on a line of its own");
    }
    kind = field;
  }
  if (kind) return *std::move(kind);
  throw fields.field().error("this check does not say what it checks",
                             "known here: schema, contains, equals, regex, command, judge");
}

Check read_check(const yaml::Field& field, Files& files) {
  const yaml::Fields fields = field.mapping(kCheckKeys);
  const yaml::Field kind = kind_of(fields);
  Check check{.name = kind.name().substr(std::string_view("check.").size()), .options = {}};
  if (check.name == "schema") {
    check.options = schema_check(kind, files);
  } else if (check.name == "contains") {
    check.options = ContainsCheck{texts(kind)};
  } else if (check.name == "equals") {
    check.options = EqualsCheck{files.value(kind)};
  } else if (check.name == "regex") {
    check.options = regex_check(kind);
  } else if (check.name == "command") {
    check.options = command_check(kind);
  } else if (check.name == "judge") {
    check.options = judge_check(kind, files, &check.always);
  } else {
    throw not_in_this_version(kind);
  }
  if (const auto name = present(fields, "name")) check.name = nonempty(*name);
  return check;
}

}  // namespace

std::vector<Check> read_checks(const yaml::Field& field, Files& files) {
  if (field.node().get_if<yaml::Node::Mapping>() != nullptr) {
    throw field.must_be("a list", "start each check with `- `");
  }
  std::vector<Check> checks;
  for (const yaml::Field& item : field.list()) checks.push_back(read_check(item, files));
  return checks;
}

}  // namespace hone::task
