// Lessons in one SQLite file: the default store.
#pragma once

#include <memory>
#include <string>

#include "hone/memory/lesson_store.h"

namespace hone::memory {

// $XDG_DATA_HOME/hone/lessons.db, or below ~/.local/share. Throws InvalidInput when neither
// variable says where that is.
std::string default_lessons_path();

// Opens or makes the store. Throws as sqlite::Database, and Unsupported for a store of a newer
// version.
std::unique_ptr<LessonStore> open_lesson_store(const std::string& path);

// The same, opened when it is first asked for something, which throws what opening throws. A file
// that is not there is empty, and made when something is added.
std::unique_ptr<LessonStore> open_lesson_store_late(const std::string& path);

}  // namespace hone::memory
