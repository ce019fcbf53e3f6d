// The memory of a replay: what was recalled and learned then, whatever the lesson store says now.
#pragma once

#include <vector>

#include "hone/core/roles.h"
#include "hone/journal/record.h"

namespace hone::journal {

// The lessons of each recall of a run, in order.
std::vector<std::vector<core::Lesson>> recalls_of(const RecordedRun& recorded);

// Threads: one run's loop.
class RecordedMemory final : public core::Memory {
 public:
  explicit RecordedMemory(const RecordedRun& recorded);

  async<std::vector<core::Lesson>> recall(core::Context context, const core::Task& task) override;
  async<std::vector<core::Lesson>> learn(core::Context context, const core::Run& run) override;

 private:
  std::vector<std::vector<core::Lesson>> recalls_;
  std::size_t recalled_ = 0;
  std::vector<std::vector<core::Lesson>> learned_;  // After so many reflections.
  std::vector<core::Lesson> learned_at_end_;
};

}  // namespace hone::journal
