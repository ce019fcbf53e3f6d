// The lessons of a command that makes runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/hone/flags.h"
#include "hone/core/embedder.h"
#include "hone/core/roles.h"
#include "hone/memory/lesson_store.h"
#include "hone/task/task_file.h"

namespace hone::app {

// The store that the flags name: the folder of --lessons-dir, or $XDG_DATA_HOME/hone/lessons.db.
std::unique_ptr<memory::LessonStore> open_lessons(const Flags& flags);
// What turns lessons and tasks into vectors.
std::unique_ptr<core::Embedder> make_embedder();

// Recalls and learns as the rules say; nothing is opened where they ask for nothing. A default
// store that cannot be opened costs the lessons and is noted; one that the user named is an error.
class LessonMemory {
 public:
  LessonMemory(const task::LessonRules& rules, const Flags& flags);
  ~LessonMemory();

  core::Memory& memory() { return *memory_; }
  // Says on stderr what was hidden and what failed.
  void tell_notes(const Flags& flags);

 private:
  void open(const task::LessonRules& rules, const Flags& flags);

  std::vector<std::string> notes_;
  std::unique_ptr<memory::LessonStore> store_;
  std::unique_ptr<core::Embedder> embedder_;
  std::unique_ptr<core::Memory> memory_;  // Last: it ends first.
};

}  // namespace hone::app
