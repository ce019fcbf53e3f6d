#include "apps/hone/lesson_memory.h"

#include <fmt/format.h>

#include <filesystem>

#include "hone/base/error.h"
#include "hone/memory/files_store.h"
#include "hone/memory/lessons.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/sqlite_store.h"

namespace hone::app {

std::unique_ptr<memory::LessonStore> open_lessons(const Flags& flags) {
  if (!flags.lessons_dir.empty()) {
    return memory::open_lesson_files({.folder = flags.lessons_dir});
  }
  const std::string path = memory::default_lessons_path();
  auto store = memory::open_lesson_store(path);
  // What was learned from a user's tasks is the user's alone.
  std::error_code ignored;
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, ignored);
  return store;
}

std::unique_ptr<core::Embedder> make_embedder() {
  return std::make_unique<memory::LexicalEmbedder>();
}

LessonMemory::LessonMemory(const task::LessonRules& rules, const Flags& flags)
    : memory_(std::make_unique<core::NoMemory>()) {
  if (!rules.are_used()) return;
  try {
    open(rules, flags);
  } catch (const Error& error) {
    if (!flags.lessons_dir.empty()) throw;
    notes_.push_back("not used: " + error.message());
  }
}

LessonMemory::~LessonMemory() = default;

void LessonMemory::open(const task::LessonRules& rules, const Flags& flags) {
  store_ = open_lessons(flags);
  embedder_ = make_embedder();
  memory::LessonsOptions options;
  options.owner = rules.owner;
  options.recall = static_cast<std::size_t>(rules.recall);
  options.learn = rules.learn;
  options.tell = [this](const std::string& note) { notes_.push_back(note); };
  memory_ = std::make_unique<memory::Lessons>(*store_, *embedder_, std::move(options));
}

void LessonMemory::tell_notes(const Flags& flags) {
  if (flags.quiet) return;
  for (const std::string& note : notes_) fmt::print(stderr, "{:<12}{}\n", "lessons", note);
  notes_.clear();
}

}  // namespace hone::app
