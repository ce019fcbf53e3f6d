#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/hone/recorded.h"
#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/evaluate/fences.h"

namespace hone::app {
namespace {

// Null where it is absent or null.
const Json* find(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& member(const Json& object, const char* name) {
  const Json* found = find(object, name);
  if (found != nullptr) return *found;
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is missing", name));
}

std::string text_of(const Json& value, const char* name) {
  if (value.is_string()) return value.get<std::string>();
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no text", name));
}

std::string text_in(const Json& object, const char* name) {
  const Json* found = find(object, name);
  return found == nullptr ? "" : text_of(*found, name);
}

const Json& list_of(const Json& value, const char* name) {
  if (value.is_array()) return value;
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no list", name));
}

// Code may hold a fence in a text of its own, but then it does not stand at the left.
std::string code_of(std::string text) {
  const bool fenced = text.starts_with("```") || text.find("\n```") != std::string::npos;
  return fenced ? evaluate::code_in(text, "python") : std::move(text);
}

RecordedAttempt attempt_from(const Json& json) {
  if (!json.is_object()) throw Error(ErrorKind::InvalidInput, "an attempt is no object");
  RecordedAttempt attempt;
  attempt.implementation = code_of(text_in(json, "implementation"));
  if (const Json* feedback = find(json, "feedback"))
    attempt.feedback = text_of(*feedback, "feedback");
  attempt.reflection = text_in(json, "reflection");
  return attempt;
}

std::vector<std::string> tests_in(const Json& json) {
  std::vector<std::string> tests;
  const Json* found = find(json, "internal_tests");
  if (found == nullptr) return tests;
  for (const Json& test : list_of(*found, "internal_tests"))
    tests.push_back(text_of(test, "internal_tests"));
  return tests;
}

std::optional<bool> solved_in(const Json& json) {
  const Json* solved = find(json, "recorded_solved");
  if (solved == nullptr) return std::nullopt;
  if (solved->is_boolean()) return solved->get<bool>();
  throw Error(ErrorKind::InvalidInput, "`recorded_solved` is no boolean");
}

void refuse_other_languages(const Json& json) {
  const std::string language = text_in(json, "language");
  if (language.empty() || language == "python" || language == "py") return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("the language is `{}`, and only Python is run", language));
}

RecordedTask task_from(const Json& json, int line) {
  if (!json.is_object()) throw Error(ErrorKind::InvalidInput, "this is no object");
  refuse_other_languages(json);
  RecordedTask task;
  task.name = text_in(json, "task_id");
  if (task.name.empty()) task.name = fmt::format("line {}", line);
  task.prompt = text_in(json, "prompt");
  task.real_test = text_of(member(json, "hidden_test"), "hidden_test");
  task.solved = solved_in(json);
  task.tests = tests_in(json);
  for (const Json& attempt : list_of(member(json, "attempts"), "attempts"))
    task.attempts.push_back(attempt_from(attempt));
  if (task.attempts.empty()) throw Error(ErrorKind::InvalidInput, "`attempts` is empty");
  return task;
}

}  // namespace

std::vector<RecordedTask> read_recorded(const std::string& text, const std::string& file) {
  std::vector<RecordedTask> tasks;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    try {
      tasks.push_back(task_from(parse_json(line), number));
    } catch (const Error& error) {
      throw Error(
          ErrorKind::InvalidInput, fmt::format("{}:{}: {}", file, number, error.message()),
          "each line is a task with attempts and hidden_test, and may have task_id, prompt, "
          "internal_tests and recorded_solved");
    }
  }
  if (tasks.empty()) throw Error(ErrorKind::InvalidInput, fmt::format("{} has no tasks", file));
  return tasks;
}

}  // namespace hone::app
