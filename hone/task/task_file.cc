#include "hone/task/task_file.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/text_file.h"
#include "hone/task/checks.h"
#include "hone/task/files.h"
#include "hone/task/limits.h"
#include "hone/task/roles.h"
#include "hone/task/stop_rules.h"
#include "hone/task/words.h"
#include "hone/template/template.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 15> kKeys{"task",     "input",  "type",    "system", "model",
                                                 "sampling", "check",  "accept",  "revise", "stop",
                                                 "select",   "budget", "lessons", "profile", "at_once"};

// The text of the field, a Jinja template over `input`, rendered.
std::string rendered(const yaml::Field& field, Files& files, const std::optional<JsonText>& input) {
  const std::string source = files.text(field);
  const std::string context = fmt::format("{{\"input\":{}}}", input ? input->text : "{}");
  try {
    return templates::Template(field.name(), source).render(context);
  } catch (const Error& failure) {
    throw field.error(failure.message(), failure.hint());
  }
}

core::Task read_task(const yaml::Fields& fields, Files& files) {
  core::Task task;
  if (const auto value = present(fields, "input")) task.input = files.value_with_texts(*value);
  const yaml::Field prompt = fields.get("task");
  task.prompt = rendered(prompt, files, task.input);
  if (trim(task.prompt).empty()) throw prompt.error("`task` is empty", "say what is to be done");
  if (const auto value = present(fields, "system")) {
    task.system = rendered(*value, files, task.input);
  }
  if (const auto value = present(fields, "type")) {
    task.type = value->text();
    if (trim(task.type).empty()) throw value->error("`type` is empty");
  }
  return task;
}

TaskFile read(const yaml::Fields& fields, Files& files) {
  TaskFile file;
  file.task = read_task(fields, files);
  if (const auto value = present(fields, "model")) file.models = read_models(*value);
  if (const auto value = present(fields, "sampling")) file.sampling = read_sampling(*value);
  if (const auto value = present(fields, "check")) file.checks = read_checks(*value, files);
  if (const auto value = present(fields, "accept")) file.accept_threshold = read_accept(*value);
  if (const auto value = present(fields, "revise")) file.revise = read_revise(*value);
  if (const auto value = present(fields, "stop")) read_stop(file.stop, *value);
  if (const auto value = present(fields, "select")) file.select = read_select(*value);
  if (const auto value = present(fields, "at_once")) {
    file.at_once = static_cast<int>(value->whole(1, TaskFile::kMostAtOnce));
  }
  if (const auto value = present(fields, "budget")) file.budget = read_budget(*value);
  if (const auto value = present(fields, "lessons")) check_lessons(*value);
  if (const auto value = present(fields, "profile")) check_profile(*value);
  return file;
}

}  // namespace

TaskFile parse_task_file(std::string_view text, const std::string& file,
                         const std::filesystem::path& folder) {
  const yaml::Document document = yaml::parse(text, file);
  Files files(file, folder);
  TaskFile task = read(yaml::Field(document).mapping(kKeys), files);
  task.folder = folder;
  task.task.name = std::filesystem::path(file).stem().string();
  return task;
}

TaskFile load_task_file(const std::filesystem::path& file) {
  std::string text;
  try {
    text = model::read_text_file(file.string());
  } catch (Error& failure) {
    throw failure.while_doing("reading the task file");
  }
  return parse_task_file(text, file.string(), std::filesystem::absolute(file).parent_path());
}

TaskFile task_of_prompt(std::string prompt) {
  TaskFile file;
  file.task.name = one_line(trim(prompt), 60);
  file.task.prompt = std::move(prompt);
  return file;
}

}  // namespace hone::task
