// One lesson as a row of the table `lessons`.
#pragma once

#include <string_view>

#include "hone/memory/lesson.h"
#include "hone/sqlite/statement.h"

namespace hone::memory {

// The columns that read_lesson() reads, in its order; the caller's own columns follow from
// kLessonColumnCount on.
inline constexpr std::string_view kLessonColumns =
    "id, tenant, agent, text, kind, ending, task_type, tool, conditions, task, details, created, "
    "merged, recalled, passed, failed, unknown, probation, forgotten";
inline constexpr int kLessonColumnCount = 19;

// Throws Corrupt for a row that no hone has written.
StoredLesson read_lesson(const sqlite::Statement& row);

// What has no column of its own, as JSON.
std::string details_of(const StoredLesson& lesson);

}  // namespace hone::memory
