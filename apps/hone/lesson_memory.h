// The lessons of a command that makes runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/hone/flags.h"
#include "hone/core/embedder.h"
#include "hone/core/roles.h"
#include "hone/memory/lessons.h"
#include "hone/task/task_file.h"

namespace hone::app {

// The store that the flags name: the folder of --lessons-dir, or $XDG_DATA_HOME/hone/lessons.db,
// which is opened when it is first needed.
std::unique_ptr<memory::LessonStore> open_lessons(const Flags& flags);
// What turns lessons and tasks into vectors: the encoder of the catalogue where its weights are
// here, words otherwise.
std::unique_ptr<core::Embedder> make_embedder();

// Recalls and learns as the rules say; nothing is opened where they ask for nothing. A default
// store that cannot be opened costs the lessons and is noted; one that the user named is an error.
class LessonMemory {
 public:
  // `recalls`: what the run was shown before it was interrupted, which it is shown again.
  LessonMemory(const task::LessonRules& rules, const Flags& flags,
               std::vector<std::vector<core::Lesson>> recalls = {});
  ~LessonMemory();

  core::Memory& memory() { return shown_ ? *shown_ : *memory_; }
  // What a run of the task would be shown.
  std::vector<core::Lesson> preview(const core::Task& task);
  // Says on stderr what was hidden and what failed.
  void tell_notes(const Flags& flags);

 private:
  void open(const task::LessonRules& rules, const Flags& flags);

  std::vector<std::string> notes_;
  std::unique_ptr<core::Memory> memory_;  // Ends first, but for what leads to it.
  memory::Lessons* lessons_ = nullptr;    // The same, where it is one.
  std::unique_ptr<core::Memory> shown_;
};

}  // namespace hone::app
