#include "apps/hone/lesson_memory.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/memory/files_store.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/sqlite_store.h"
#include "hone/model/local_embedder.h"

namespace hone::app {

namespace {

// Shows what was shown before, in turn, and then what the other memory does; learns as that does.
class ShownBefore final : public core::Memory {
 public:
  ShownBefore(std::vector<std::vector<core::Lesson>> shown,
              const std::unique_ptr<core::Memory>& learning)
      : shown_(std::move(shown)), learning_(learning) {}

  async<std::vector<core::Lesson>> recall(core::Context context, const core::Task& task) override {
    if (next_ == shown_.size()) return learning_->recall(std::move(context), task);
    return given(shown_[next_++]);
  }
  async<std::vector<core::Lesson>> learn(core::Context context, const core::Run& run) override {
    return learning_->learn(std::move(context), run);
  }

 private:
  static async<std::vector<core::Lesson>> given(std::vector<core::Lesson> lessons) {
    co_return lessons;
  }

  std::vector<std::vector<core::Lesson>> shown_;
  std::size_t next_ = 0;
  const std::unique_ptr<core::Memory>& learning_;
};

async<void> preview_into(std::vector<core::Lesson>& shown, memory::Lessons& lessons,
                         const core::Task& task) {
  shown = co_await lessons.preview(task);
}

}  // namespace

std::unique_ptr<memory::LessonStore> open_lessons(const Flags& flags) {
  if (!flags.lessons_dir.empty()) {
    return memory::open_lesson_files({.folder = flags.lessons_dir});
  }
  return memory::open_lesson_store_late(memory::default_lessons_path());
}

std::unique_ptr<core::Embedder> make_embedder() {
  auto local = model::find_local_embedder(model::built_in_catalogue(),
                                          model::local_options_from_environment());
  if (local) return local;
  return std::make_unique<memory::LexicalEmbedder>();
}

LessonMemory::LessonMemory(const task::LessonRules& rules, const Flags& flags,
                           std::vector<std::vector<core::Lesson>> recalls)
    : memory_(std::make_unique<core::NoMemory>()) {
  if (!recalls.empty()) shown_ = std::make_unique<ShownBefore>(std::move(recalls), memory_);
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
  memory::LessonsOptions options;
  options.owner = rules.owner;
  options.recall = static_cast<std::size_t>(rules.recall);
  options.learn = rules.learn;
  options.all_agents = rules.all_agents;
  options.order = rules.order;
  options.least = rules.least;
  options.block = rules.block;
  options.tell = [this](const std::string& note) { notes_.push_back(note); };
  auto lessons =
      std::make_unique<memory::Lessons>(open_lessons(flags), make_embedder(), std::move(options));
  lessons_ = lessons.get();
  memory_ = std::move(lessons);
}

std::vector<core::Lesson> LessonMemory::preview(const core::Task& task) {
  std::vector<core::Lesson> shown;
  if (lessons_ != nullptr) run_sync([&] { return preview_into(shown, *lessons_, task); });
  return shown;
}

void LessonMemory::tell_notes(const Flags& flags) {
  if (flags.quiet) return;
  for (const std::string& note : notes_) fmt::print(stderr, "{:<12}{}\n", "lessons", note);
  notes_.clear();
}

}  // namespace hone::app
