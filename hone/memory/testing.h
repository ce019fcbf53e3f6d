// What the tests of lessons share.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "hone/memory/lesson_store.h"

namespace hone::memory {

// A folder of its own that goes with the object.
class TestFolder {
 public:
  TestFolder() {
    static std::atomic<int> next = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("hone-lessons-" + std::to_string(getpid()) + "-" + std::to_string(next++));
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Instant day(int number) {
  return Instant(std::chrono::seconds(1'763'769'600)) + std::chrono::hours(24) * number;
}

// A lesson as a run would leave it; `number` makes it another one.
inline StoredLesson lesson(std::string text, int number = 0, Owner owner = {}) {
  StoredLesson made{.text = std::move(text), .owner = std::move(owner)};
  made.provenance = {.run = "run" + std::to_string(number), .attempt = 1};
  made.id = lesson_id(made.owner, made.provenance, made.kind);
  made.created = day(number);
  return made;
}

}  // namespace hone::memory
