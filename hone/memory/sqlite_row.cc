#include "hone/memory/sqlite_row.h"

#include <nlohmann/json.hpp>

#include "hone/base/error.h"

namespace hone::memory {
namespace {

StoredLesson details_in(std::string_view text) {
  try {
    return lesson_from_json(parse_json(text));
  } catch (const Error& error) {
    throw Error(ErrorKind::Corrupt, "a lesson of the store cannot be read: " + error.message(),
                "restore the file from a copy, or move it away and begin anew");
  }
}

int small(const sqlite::Statement& row, int column) {
  return static_cast<int>(row.integer(column));
}

}  // namespace

std::string details_of(const StoredLesson& lesson) {
  const Json all = to_json(lesson);
  Json details = Json::object();
  for (const char* name : {"reflection", "provenance", "contradicts"}) details[name] = all[name];
  return dump(details);
}

StoredLesson read_lesson(const sqlite::Statement& row) {
  StoredLesson lesson = details_in(row.text(10));
  lesson.id = row.text(0);
  lesson.owner = {.tenant = std::string(row.text(1)), .agent = std::string(row.text(2))};
  lesson.text = row.text(3);
  lesson.kind = kind_from(row.text(4)).value_or(Kind::Lesson);
  lesson.ending = ending_from(row.text(5)).value_or(Ending::Noted);
  lesson.task_type = row.text(6);
  lesson.tool = row.text(7);
  lesson.conditions = row.text(8);
  lesson.task = row.text(9);
  lesson.created = Instant(Duration(row.integer(11)));
  lesson.merged = small(row, 12);
  lesson.trials = {.recalled = small(row, 13),
                   .passed = small(row, 14),
                   .failed = small(row, 15),
                   .unknown = small(row, 16)};
  lesson.probation = row.integer(17) != 0;
  lesson.forgotten = row.integer(18) != 0;
  return lesson;
}

}  // namespace hone::memory
