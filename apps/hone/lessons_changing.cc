// hone lessons add, edit, forget, restore, merge, import, export: changing what there is.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/hone/data_file.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/lessons_command.h"
#include "hone/async/clock.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/memory/files_store.h"
#include "hone/memory/learning.h"
#include "hone/memory/wording.h"

namespace hone::app {
namespace {

using memory::StoredLesson;

constexpr std::size_t kImportAtOnce = 500;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

Instant now() { return SystemClock().now(); }

void print_one(memory::LessonStore& store, const memory::Owner& owner, const std::string& id,
               const LessonFlags& flags) {
  const auto lesson = store.find(owner.tenant, id);
  if (flags.common.json && lesson) {
    fmt::print("{}\n", dump_pretty(memory::to_json(*lesson)));
  } else {
    fmt::print("{}\n", id);
  }
}

StoredLesson written(const LessonFlags& flags) {
  StoredLesson lesson{.id = {}, .text = std::string(trim(flags.text)), .owner = owner_of(flags)};
  lesson.task_type = flags.task_type.value_or("");
  lesson.tool = flags.tool.value_or("");
  lesson.conditions = flags.conditions.value_or("");
  lesson.created = now();
  lesson.id = memory::lesson_id(lesson.owner, lesson.text, lesson.created);
  if (flags.kind.empty()) return lesson;
  const auto kind = memory::kind_from(flags.kind);
  if (!kind) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no kind of lesson", flags.kind),
                "use lesson, rule, playbook or decision");
  }
  lesson.kind = *kind;
  return lesson;
}

// A lesson of an import: the flags' tenant, and their agent if they name one; clean, on probation.
StoredLesson imported(StoredLesson lesson, const LessonFlags& flags, bool names_agent) {
  const memory::Owner owner = owner_of(flags);
  lesson.owner.tenant = owner.tenant;
  if (!flags.common.agent.empty() || !names_agent) lesson.owner.agent = owner.agent;
  if (lesson.created == Instant()) lesson.created = now();
  if (lesson.id.empty()) lesson.id = memory::lesson_id(lesson.owner, lesson.text, Instant());
  // What helped elsewhere has yet to help here.
  lesson.trials = {};
  lesson.probation = true;
  lesson = memory::generic(std::move(lesson));
  memory::check(lesson);
  return lesson;
}

StoredLesson imported(std::string_view line, const LessonFlags& flags) {
  const Json json = parse_json(line);
  return imported(memory::lesson_from_json(json), flags, json.contains("agent"));
}

std::vector<StoredLesson> read_folder(const LessonFlags& flags) {
  const auto files = memory::open_lesson_files({.folder = flags.file, .newest = kAll});
  std::vector<StoredLesson> lessons;
  for (StoredLesson& lesson : files->list({.agent = std::nullopt}))
    lessons.push_back(imported(std::move(lesson), flags, true));
  for (const std::string& problem : files->problems()) fmt::print(stderr, "{}\n", problem);
  return lessons;
}

std::vector<StoredLesson> read_lines(const LessonFlags& flags) {
  const std::string text = read_file_or_stdin(flags.file, "FILE");
  const std::string name = flags.file == "-" ? "stdin" : flags.file;
  std::vector<StoredLesson> lessons;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    try {
      lessons.push_back(imported(trim(line), flags));
    } catch (Error& error) {
      throw error.while_doing(fmt::format("{}:{}", name, number));
    }
  }
  return lessons;
}

void write_out(const std::string& text, const std::string& file) {
  std::FILE* out = file.empty() ? stdout : std::fopen(file.c_str(), "w");
  const bool written =
      out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const bool kept = out != nullptr && (file.empty() ? std::fflush(out) : std::fclose(out)) == 0;
  if (written && kept) return;
  throw Error(
      ErrorKind::Unavailable,
      fmt::format("{} cannot be written: {}", file.empty() ? "stdout" : file, std::strerror(errno)),
      "look at the folder and the space on the disk");
}

}  // namespace

int add_lesson(const LessonFlags& flags) {
  const auto store = open_lessons(flags.common);
  const auto embedder = make_embedder();
  memory::Recall recall(*store, *embedder);
  std::vector<StoredLesson> one{written(flags)};
  const memory::Owner owner = one.front().owner;
  const auto addition = memory::Learning(*store, recall).learn(std::move(one)).front();
  if (addition->outcome == memory::Added::Merged && !flags.common.quiet) {
    fmt::print(stderr, "there is a lesson that says the same: it counts one more\n");
  }
  print_one(*store, owner, addition->id, flags);
  return kDone;
}

int edit_lesson(const LessonFlags& flags) {
  const auto store = open_lessons(flags.common);
  StoredLesson lesson = memory::find_lesson(*store, scope_of(flags), flags.id);
  if (!flags.text.empty()) lesson.text = trim(flags.text);
  if (flags.conditions) lesson.conditions = *flags.conditions;
  if (flags.task_type) lesson.task_type = *flags.task_type;
  if (flags.tool) lesson.tool = *flags.tool;
  store->replace(memory::generic(lesson));
  print_one(*store, lesson.owner, lesson.id, flags);
  return kDone;
}

int set_forgotten(const LessonFlags& flags, bool forgotten) {
  const auto store = open_lessons(flags.common);
  std::vector<StoredLesson> lessons;
  for (const std::string& id : flags.ids)
    lessons.push_back(memory::find_lesson(*store, scope_of(flags), id));
  for (StoredLesson& lesson : lessons) {
    if (flags.erase) {
      store->erase(lesson.owner.tenant, std::span(&lesson.id, 1));
      continue;
    }
    lesson.forgotten = forgotten;
    store->replace(lesson);
    print_one(*store, lesson.owner, lesson.id, flags);
  }
  return kDone;
}

int merge_lessons(const LessonFlags& flags) {
  const auto store = open_lessons(flags.common);
  const StoredLesson from = memory::find_lesson(*store, scope_of(flags), flags.id);
  const StoredLesson into = memory::find_lesson(*store, scope_of(flags), flags.into);
  if (from.id == into.id) {
    throw Error(ErrorKind::InvalidInput, "a lesson cannot be merged into itself",
                "name two lessons");
  }
  // The merge is kept under an id of its own: that of the lesson stays known as erased.
  const std::string merge = memory::lesson_id(from.owner, "merge " + from.id, from.created);
  store->merge(into.owner.tenant, {.id = merge, .into = into.id});
  store->erase(from.owner.tenant, std::span(&from.id, 1));
  print_one(*store, into.owner, into.id, flags);
  return kDone;
}

int import_lessons(const LessonFlags& flags) {
  std::error_code none;
  const bool is_folder = std::filesystem::is_directory(flags.file, none);
  const std::vector<StoredLesson> lessons = is_folder ? read_folder(flags) : read_lines(flags);
  const auto store = open_lessons(flags.common);
  std::size_t added = 0;
  for (std::size_t start = 0; start < lessons.size(); start += kImportAtOnce) {
    const auto batch =
        std::span(lessons).subspan(start, std::min(kImportAtOnce, lessons.size() - start));
    for (const memory::Addition& addition : store->add(batch))
      added += addition.outcome == memory::Added::Stored ? 1 : 0;
  }
  if (!flags.common.quiet) {
    fmt::print(stderr, "{} of {} lessons are new; they are on probation until one helped\n", added,
               lessons.size());
  }
  if (flags.common.json) fmt::print("{}\n", dump(Json{{"added", added}, {"read", lessons.size()}}));
  return kDone;
}

int export_lessons(const LessonFlags& flags) {
  const std::vector<StoredLesson> lessons = open_lessons(flags.common)->list(scope_of(flags));
  if (!flags.folder.empty()) {
    memory::open_lesson_files({.folder = flags.folder, .newest = kAll})->add(lessons);
    return kDone;
  }
  std::string lines;
  for (const StoredLesson& lesson : lessons) {
    Json json = {{"format", 1}};
    json.update(memory::to_json(memory::generic(lesson)));
    lines += dump(json) + "\n";
  }
  write_out(lines, flags.file);
  return kDone;
}

}  // namespace hone::app
