#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/hone/recorded.h"
#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/text.h"

namespace hone::app {
namespace {

const Json& member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end())
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is missing", name));
  return *found;
}

std::string text_in(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (value.is_string()) return value.get<std::string>();
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no text", name));
}

const Json& list_in(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (value.is_array()) return value;
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no list", name));
}

RecordedAttempt attempt_from(const Json& json) {
  if (!json.is_object()) throw Error(ErrorKind::InvalidInput, "an attempt is no object");
  RecordedAttempt attempt;
  attempt.implementation = text_in(json, "implementation");
  if (json.contains("feedback")) attempt.feedback = text_in(json, "feedback");
  if (json.contains("reflection")) attempt.reflection = text_in(json, "reflection");
  return attempt;
}

RecordedTask task_from(const Json& json) {
  if (!json.is_object()) throw Error(ErrorKind::InvalidInput, "this is no object");
  RecordedTask task;
  task.name = text_in(json, "task_id");
  task.prompt = text_in(json, "prompt");
  task.real_test = text_in(json, "hidden_test");
  const Json& solved = member(json, "recorded_solved");
  if (!solved.is_boolean()) throw Error(ErrorKind::InvalidInput, "`recorded_solved` is no boolean");
  task.solved = solved.get<bool>();
  for (const Json& test : list_in(json, "internal_tests")) {
    if (!test.is_string()) throw Error(ErrorKind::InvalidInput, "a test is no text");
    task.tests.push_back(test.get<std::string>());
  }
  for (const Json& attempt : list_in(json, "attempts"))
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
      tasks.push_back(task_from(parse_json(line)));
    } catch (const Error& error) {
      throw Error(ErrorKind::InvalidInput, fmt::format("{}:{}: {}", file, number, error.message()),
                  "each line is a task with task_id, prompt, internal_tests, attempts, hidden_test "
                  "and recorded_solved");
    }
  }
  if (tasks.empty()) throw Error(ErrorKind::InvalidInput, fmt::format("{} has no tasks", file));
  return tasks;
}

}  // namespace hone::app
