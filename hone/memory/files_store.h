// Lessons as Markdown files, as the Reflexion protocol lays them down:
// <folder>/reflections/<agent>/YYYY-MM-DD-<short-title>.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "hone/memory/lesson_store.h"

namespace hone::memory {

struct FilesOptions {
  std::filesystem::path folder;  // Is made if it is not there.
  // Files of one agent; older ones move to archive/<year>/ beside them and are no longer recalled.
  std::size_t newest = 30;
};

// The files are the truth: what a person edits, adds, moves or removes is taken in. Tenants other
// than `default` have <folder>/tenants/<tenant>/reflections. Counts, vectors and what is known of
// each file are kept in <folder>/.index, which can be removed: it is made again from the files, but
// for the counts. Nothing is ever deleted but by erase(). Files that cannot be read are left alone
// and named by problems().
std::unique_ptr<LessonStore> open_lesson_files(FilesOptions options);

}  // namespace hone::memory
