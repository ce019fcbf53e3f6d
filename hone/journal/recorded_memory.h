// The memory of a replay: what was recalled and learned then, whatever the lesson store says now.
#pragma once

#include <utility>
#include <vector>

#include "hone/core/roles.h"

namespace hone::journal {

class RecordedMemory final : public core::Memory {
 public:
  // `run` is the recorded run.
  explicit RecordedMemory(const core::Run& run) : recalled_(run.recalled), learned_(run.learned) {}

  async<std::vector<core::Lesson>> recall(core::Context, const core::Task&) override {
    co_return recalled_;
  }
  async<std::vector<core::Lesson>> learn(core::Context, const core::Run&) override {
    co_return learned_;
  }

 private:
  std::vector<core::Lesson> recalled_;
  std::vector<core::Lesson> learned_;
};

}  // namespace hone::journal
