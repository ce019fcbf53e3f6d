// How a lesson gets into a store: clean, once, and beside what contradicts it.
#pragma once

#include <span>
#include <vector>

#include "hone/memory/recall.h"

namespace hone::memory {

// The most lessons of one agent; what was shown least and helped least goes first.
inline constexpr std::int64_t kMostLessons = 100'000;

// Threads: one at a time. Lifetime: store and recall (of the same store) outlive it. Blocking.
class Learning {
 public:
  Learning(LessonStore& store, Recall& recall, std::int64_t most = kMostLessons)
      : store_(store), recall_(recall), most_(most) {}

  // Adds lessons of one tenant, in generic words. One that says what the agent has a lesson for is
  // counted there; one that contradicts another is added, and both name each other. Texts that
  // `shown` has are left out: advice that came in through recall teaches nothing new. Returns what
  // became of each; absent for those that were left out.
  std::vector<std::optional<Addition>> learn(std::vector<StoredLesson> lessons,
                                             std::span<const core::Lesson> shown = {});

 private:
  std::optional<Addition> learn_one(const StoredLesson& lesson);
  void bound(const Owner& owner);

  LessonStore& store_;
  Recall& recall_;
  std::int64_t most_;
};

}  // namespace hone::memory
