#include "hone/journal/recorded_memory.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "hone/journal/originals.h"

namespace hone::journal {
std::vector<std::vector<core::Lesson>> recalls_of(const RecordedRun& recorded) {
  std::vector<std::vector<core::Lesson>> recalls;
  for (core::Event& event : original_events(recorded)) {
    auto* recalled = std::get_if<core::LessonsRecalled>(&event);
    if (recalled != nullptr) recalls.push_back(std::move(recalled->lessons));
  }
  return recalls;
}

RecordedMemory::RecordedMemory(const RecordedRun& recorded)
    : recalls_(recalls_of(recorded)), learned_(1) {
  bool ended = false;
  for (core::Event& event : original_events(recorded)) {
    if (std::holds_alternative<core::Stopped>(event)) ended = true;
    if (std::holds_alternative<core::Reflected>(event)) learned_.emplace_back();
    auto* learned = std::get_if<core::LessonLearned>(&event);
    if (learned == nullptr) continue;
    (ended ? learned_at_end_ : learned_.back()).push_back(std::move(learned->lesson));
  }
}

async<std::vector<core::Lesson>> RecordedMemory::recall(core::Context, const core::Task&) {
  if (recalled_ == recalls_.size()) co_return std::vector<core::Lesson>();
  co_return recalls_[recalled_++];
}

async<std::vector<core::Lesson>> RecordedMemory::learn(core::Context, const core::Run& run) {
  if (run.stop) co_return learned_at_end_;
  const auto reflections = static_cast<std::size_t>(std::ranges::count_if(
      run.attempts, [](const core::Attempt& attempt) { return attempt.reflection.has_value(); }));
  co_return reflections < learned_.size() ? learned_[reflections] : std::vector<core::Lesson>();
}

}  // namespace hone::journal
