// The stores that one suite of tests holds for.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "hone/memory/files_store.h"
#include "hone/memory/sqlite_store.h"
#include "hone/memory/testing.h"

namespace hone::memory {

struct InMemory {
  std::unique_ptr<LessonStore> open() { return make_lesson_store(); }
  static constexpr bool kLasts = false;
};

struct InSqlite {
  TestFolder folder;
  std::unique_ptr<LessonStore> open() {
    return open_lesson_store((folder.path() / "lessons.db").string());
  }
  static constexpr bool kLasts = true;
};

struct InSqliteLate {
  TestFolder folder;
  std::unique_ptr<LessonStore> open() {
    return open_lesson_store_late((folder.path() / "lessons.db").string());
  }
  static constexpr bool kLasts = true;
};

struct InFiles {
  TestFolder folder;
  std::unique_ptr<LessonStore> open() {
    return open_lesson_files({.folder = folder.path(), .newest = 1000});
  }
  static constexpr bool kLasts = true;
};

using AllStores = testing::Types<InMemory, InSqlite, InSqliteLate, InFiles>;
// Those that a second process can open.
using SharedStores = testing::Types<InSqlite, InFiles>;

}  // namespace hone::memory
