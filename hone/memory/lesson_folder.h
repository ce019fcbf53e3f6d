// The folder of a lesson store of files: where files stand, and reading and writing them whole.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "hone/memory/lesson.h"

namespace hone::memory {

// A file of a lesson as it lies in the folder.
struct FoundFile {
  std::string path;  // Below the folder.
  Owner owner;
  std::int64_t changed = 0;  // Nanoseconds; no meaning but equality.
  std::int64_t size = 0;
};

// Errors: Unavailable for what cannot be read or written. Links are not followed.
class LessonFolder {
 public:
  explicit LessonFolder(std::filesystem::path folder);

  // The files of index, made if need be: "<folder>/.index/<name>".
  std::string index_file(const std::string& name) const;
  // Visits all files of lessons but the archived ones.
  void visit(const std::function<void(const FoundFile&)>& visit) const;
  FoundFile look_at(const std::string& path, const Owner& owner) const;

  std::string read(const FoundFile& file) const;
  // Writes a new file under the lesson's name, or that name and "-2", "-3", …; returns its path.
  std::string write_new(const StoredLesson& lesson) const;
  // Puts the lesson in the place of the file.
  void write(const std::string& path, const StoredLesson& lesson) const;
  void remove(const std::string& path) const;
  // Moves the file to archive/<year>/ beside it.
  void archive(const std::string& path, const StoredLesson& lesson) const;

 private:
  std::filesystem::path reflections_of(const std::string& tenant) const;
  void visit_tenant(const std::string& tenant,
                    const std::function<void(const FoundFile&)>& visit) const;

  std::filesystem::path folder_;
};

// Keeps other processes out of the folder for as long as it lives.
class FolderLock {
 public:
  // Waits for the process that has the lock, so long at most: then throws Unavailable.
  explicit FolderLock(const std::string& file,
                      std::chrono::milliseconds patience = std::chrono::seconds(5));
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace hone::memory
