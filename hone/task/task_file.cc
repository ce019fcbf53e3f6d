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
#include "hone/task/profile.h"
#include "hone/task/read.h"
#include "hone/task/roles.h"
#include "hone/task/stop_rules.h"
#include "hone/task/words.h"
#include "hone/template/template.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 17> kKeys{
    "task", "input",  "type",   "system",  "model",   "sampling", "check",   "accept",  "revise",
    "stop", "select", "budget", "lessons", "profile", "at_once",  "reflect", "escalate"};

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

// The keys of a mapping and of the mappings in it, as TaskFile::keys has them.
std::set<std::string, std::less<>> keys_of(const yaml::Fields& fields) {
  std::set<std::string, std::less<>> keys;
  for (const yaml::Field& field : fields.all()) {
    if (field.is_null()) continue;
    keys.insert(field.name());
    const auto* nested = field.node().get_if<yaml::Node::Mapping>();
    if (nested == nullptr) continue;
    for (const yaml::Member& member : *nested) keys.insert(field.name() + "." + member.key);
  }
  return keys;
}

}  // namespace

yaml::Fields task_fields(const yaml::Document& document) {
  return yaml::Field(document).mapping(kKeys);
}

core::Task read_task(const yaml::Fields& fields, Files& files,
                     const std::optional<JsonText>& input) {
  core::Task task;
  task.input = input;
  const auto own_input = present(fields, "input");
  if (!input && own_input) task.input = files.value_with_texts(*own_input);
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

TaskFile read_task_file(const yaml::Fields& fields, Files& files,
                        const std::optional<JsonText>& input) {
  TaskFile file;
  file.task = read_task(fields, files, input);
  file.keys = keys_of(fields);
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
  if (const auto value = present(fields, "lessons")) file.lessons = read_lessons(*value);
  if (const auto value = present(fields, "reflect")) file.reflect = read_reflect(*value);
  if (const auto value = present(fields, "escalate")) file.escalate = read_escalate(*value);
  if (const auto value = present(fields, "profile")) read_profile(file, *value);
  return file;
}

TaskFile parse_task_file(std::string_view text, const std::string& file,
                         const std::filesystem::path& folder) {
  const yaml::Document document = yaml::parse(text, file);
  Files files(file, folder);
  TaskFile task = read_task_file(task_fields(document), files);
  task.folder = folder;
  task.task.name = std::filesystem::path(file).stem().string();
  return task;
}

std::string task_text(const std::filesystem::path& file) {
  try {
    return model::read_text_file(file.string());
  } catch (Error& failure) {
    throw failure.while_doing("reading the task file");
  }
}

TaskFile load_task_file(const std::filesystem::path& file) {
  return parse_task_file(task_text(file), file.string(),
                         std::filesystem::absolute(file).parent_path());
}

TaskFile task_of_prompt(std::string prompt) {
  TaskFile file;
  file.task.name = one_line(trim(prompt), 60);
  file.task.prompt = std::move(prompt);
  return file;
}

}  // namespace hone::task
