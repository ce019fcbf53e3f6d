#include "apps/hone/lesson_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "hone/base/error.h"
#include "hone/core/json_form.h"
#include "hone/journal/originals.h"
#include "hone/memory/files_store.h"
#include "hone/memory/lessons.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/memory/sqlite_store.h"
#include "hone/model/local_embedder.h"

namespace hone::app {

namespace {

// Shows what was shown before; learns as the other memory does.
class ShownBefore final : public core::Memory {
 public:
  ShownBefore(std::vector<core::Lesson> shown, const std::unique_ptr<core::Memory>& learning)
      : shown_(std::move(shown)), learning_(learning) {}

  async<std::vector<core::Lesson>> recall(core::Context, const core::Task&) override {
    co_return shown_;
  }
  async<std::vector<core::Lesson>> learn(core::Context context, const core::Run& run) override {
    return learning_->learn(std::move(context), run);
  }

 private:
  std::vector<core::Lesson> shown_;
  const std::unique_ptr<core::Memory>& learning_;
};

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

std::optional<std::vector<core::Lesson>> recalled_in(const journal::RecordedRun& recorded) {
  const bool was_shown = std::ranges::any_of(recorded.events, [](const auto& event) {
    const core::Event happened = core::event_from_json(parse_json(event.text));
    return std::holds_alternative<core::LessonsRecalled>(happened);
  });
  if (!was_shown) return std::nullopt;
  return journal::original_run(recorded).recalled;
}

LessonMemory::LessonMemory(const task::LessonRules& rules, const Flags& flags,
                           std::optional<std::vector<core::Lesson>> recalled)
    : memory_(std::make_unique<core::NoMemory>()) {
  if (recalled) shown_ = std::make_unique<ShownBefore>(*std::move(recalled), memory_);
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
  options.tell = [this](const std::string& note) { notes_.push_back(note); };
  memory_ =
      std::make_unique<memory::Lessons>(open_lessons(flags), make_embedder(), std::move(options));
}

void LessonMemory::tell_notes(const Flags& flags) {
  if (flags.quiet) return;
  for (const std::string& note : notes_) fmt::print(stderr, "{:<12}{}\n", "lessons", note);
  notes_.clear();
}

}  // namespace hone::app
