#include "hone/task/code_checks.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/task/plain_checks.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 9> kCodeKeys{
    "run", "timeout", "cpu", "memory", "output", "processes", "threshold", "trusted", "place"};
constexpr std::array<std::string_view, 12> kTestsKeys{"run",     "setup",  "language", "command",
                                                      "timeout", "memory", "output",   "threshold",
                                                      "hidden",  "cpu",    "shared",   "processes"};
constexpr std::array<std::string_view, 3> kPlaceKeys{"file", "line", "column"};
constexpr std::string_view kScheme = "file://";
constexpr std::int64_t kMostMemory = 64LL << 30;
constexpr std::int64_t kMostOutput = 64LL << 20;
constexpr std::int64_t kMostProcesses = 1000;

// "256M": bytes; a number alone too.
std::int64_t bytes_of(const yaml::Field& field, std::int64_t least, std::int64_t most) {
  const auto* text = field.node().get_if<std::string>();
  std::int64_t unit = 1;
  std::optional<double> number;
  if (text != nullptr && !text->empty()) {
    const std::string_view units = "kMG";
    const std::size_t found = units.find(text->back());
    for (std::size_t i = 0; found != std::string_view::npos && i <= found; ++i) unit *= 1024;
    number = to_number(text->substr(0, text->size() - (unit > 1 ? 1 : 0)));
  } else if (const auto* whole = field.node().get_if<std::int64_t>()) {
    number = static_cast<double>(*whole);
  }
  const double bytes = number.value_or(-1) * static_cast<double>(unit);
  if (bytes >= static_cast<double>(least) && bytes <= static_cast<double>(most))
    return static_cast<std::int64_t>(bytes);
  throw field.must_be(fmt::format("a size from {} to {} bytes, such as 64M", least, most));
}

Duration time_of(const yaml::Field& field) {
  const Duration time = field.duration();
  if (time == Duration::zero()) throw field.must_be("a time of more than 0 s");
  return time;
}

void read_limits(const yaml::Fields& fields, core::CodeLimits& limits) {
  if (const auto value = present(fields, "timeout")) limits.timeout = time_of(*value);
  if (const auto value = present(fields, "cpu")) limits.cpu = time_of(*value);
  if (const auto value = present(fields, "memory"))
    limits.memory = static_cast<std::uint64_t>(bytes_of(*value, 16 << 20, kMostMemory));
  if (const auto value = present(fields, "output"))
    limits.output = static_cast<std::size_t>(bytes_of(*value, 256, kMostOutput));
  if (const auto value = present(fields, "processes"))
    limits.processes = static_cast<std::uint32_t>(value->whole(0, kMostProcesses));
}

std::optional<double> threshold_in(const yaml::Fields& fields) {
  const auto value = present(fields, "threshold");
  return value ? std::optional(value->number(0, 1)) : std::nullopt;
}

// The name of a file that stands for the text; empty for text.
std::string file_named_by(const yaml::Field& field) {
  const auto* text = field.node().get_if<std::string>();
  return text != nullptr && text->starts_with(kScheme) ? text->substr(kScheme.size()) : "";
}

evaluate::CodePlace place_of(const yaml::Field& field, const Files& files) {
  if (std::string file = file_named_by(field); !file.empty()) return {std::move(file), 1, 1};
  const yaml::Position at = field.node().text_at;
  return {files.file(), at.line, at.column};
}

evaluate::CodePlace recorded_place(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kPlaceKeys);
  evaluate::CodePlace place;
  place.file = fields.get("file").text();
  place.line = static_cast<int>(fields.get("line").whole(1, 1'000'000'000));
  place.column = static_cast<int>(fields.get("column").whole(1, 1'000'000'000));
  return place;
}

void read_source(const yaml::Field& field, Files& files, CodeCheck& check) {
  check.place = place_of(field, files);
  check.code = files.text(field);
  if (trim(check.code).empty()) throw field.error(fmt::format("`{}` is empty", field.name()));
}

void read_test_texts(const yaml::Field& field, Files& files, TestsCheck& check) {
  if (field.node().get_if<yaml::Node::List>() != nullptr) {
    for (const yaml::Field& item : field.list()) check.tests.push_back(files.text(item));
  } else if (check.command.empty()) {
    evaluate::TestFile file = evaluate::tests_in_file(files.text(field));
    check.tests = std::move(file.tests);
    check.setup = std::move(file.setup);
  } else {
    check.tests = {files.text(field)};
  }
  if (check.tests.empty()) throw field.error(fmt::format("`{}` is an empty list", field.name()));
  for (const std::string& test : check.tests) {
    if (trim(test).empty()) throw field.error(fmt::format("`{}` has an empty test", field.name()));
  }
}

void write_limits(Json& json, const core::CodeLimits& limits) {
  json["timeout"] = text_of(limits.timeout);
  if (limits.cpu) json["cpu"] = text_of(*limits.cpu);
  json["memory"] = limits.memory;
  json["output"] = limits.output;
  if (limits.processes > 0) json["processes"] = limits.processes;
}

}  // namespace

CodeCheck read_code(const yaml::Field& field, core::Language language, Files& files) {
  CodeCheck check;
  check.language = language;
  if (field.node().get_if<std::string>() != nullptr) {
    read_source(field, files, check);
    return check;
  }
  const yaml::Fields fields = field.mapping(kCodeKeys);
  read_source(fields.get("run"), files, check);
  read_limits(fields, check.limits);
  check.threshold = threshold_in(fields);
  if (const auto value = present(fields, "trusted")) check.trusted = value->boolean();
  if (const auto value = present(fields, "place")) check.place = recorded_place(*value);
  return check;
}

namespace {

// A command is a program of the user's, outside of the sandbox.
void refuse_limits_of_the_sandbox(const yaml::Fields& fields) {
  for (const char* name : {"cpu", "memory", "processes"}) {
    const auto limit = present(fields, name);
    if (!limit) continue;
    throw limit->error(fmt::format("`{}` does not limit a `command`", name),
                       "leave it out, or put the limit into the command (`ulimit`)");
  }
}

}  // namespace

TestsCheck read_tests(const yaml::Field& field, Files& files) {
  TestsCheck check;
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) {
    read_test_texts(field, files, check);
    return check;
  }
  const yaml::Fields fields = field.mapping(kTestsKeys);
  if (const auto value = present(fields, "language")) check.language = lower(nonempty(*value));
  if (const auto value = present(fields, "command")) check.command = nonempty(*value);
  if (check.command.empty() && check.language != "python") {
    throw fields.field().error(
        fmt::format("tests of {} need a `command`", check.language),
        "such as `command: node {file}`; {file} is a file with the code and one test");
  }
  read_test_texts(fields.get("run"), files, check);
  if (const auto value = present(fields, "setup")) check.setup = files.text(*value);
  read_limits(fields, check.limits);
  if (!check.command.empty()) refuse_limits_of_the_sandbox(fields);
  check.threshold = threshold_in(fields);
  if (const auto value = present(fields, "hidden")) check.hidden = value->boolean();
  if (const auto value = present(fields, "shared")) check.shared = value->boolean();
  return check;
}

Json to_json(const CodeCheck& check) {
  Json json = {{"run", check.code}, {"trusted", check.trusted}};
  write_limits(json, check.limits);
  if (check.threshold) json["threshold"] = *check.threshold;
  json["place"] = {
      {"file", check.place.file}, {"line", check.place.line}, {"column", check.place.column}};
  return {{std::string(core::to_string(check.language)), json}};
}

Json to_json(const TestsCheck& check) {
  Json json = {{"run", check.tests},
               {"language", check.language},
               {"hidden", check.hidden},
               {"shared", check.shared}};
  if (!check.setup.empty()) json["setup"] = check.setup;
  if (check.command.empty()) {
    write_limits(json, check.limits);
  } else {
    json["command"] = check.command;
    json["timeout"] = text_of(check.limits.timeout);
    json["output"] = check.limits.output;
  }
  if (check.threshold) json["threshold"] = *check.threshold;
  return {{"tests", json}};
}

}  // namespace hone::task
