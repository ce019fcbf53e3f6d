// Lessons as a run's memory: recalled before its first attempt, learned after its last.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hone/async/worker_pool.h"
#include "hone/core/roles.h"
#include "hone/memory/learning.h"

namespace hone::memory {

struct LessonsOptions {
  Owner owner = {};
  bool all_agents = false;  // Recall what other agents of the tenant learned, too.
  std::size_t recall = 3;   // Most lessons shown; 0 for none.
  bool learn = true;
  Order order = Order::Hybrid;
  double least = 0.5;  // See Question.
  // Every lesson that was learned from this very task is shown, however many are asked for, and no
  // other: the block of loomflow's Reflexion, kept to one task and to kLongestBlock.
  bool block = false;
  // How long learning may take; what is not learned by then is not.
  Duration time = std::chrono::seconds(20);
  // Hears, in a sentence, what was hidden and what failed. On the run's loop thread.
  std::function<void(const std::string&)> tell = {};
};

// Longest lessons of a block together, in bytes; the oldest go first.
inline constexpr std::size_t kLongestBlock = 6000;

// What a run teaches: of each attempt that was not accepted and has a reflection, its rule (or what
// to do differently); of any reflection, its principle and its procedure.
std::vector<StoredLesson> lessons_of(const core::Run& run, const Owner& owner);

// A store that cannot be read or written costs the lessons, never the run; `tell` hears of it.
// Threads: any loop; calls of several runs wait for each other. Lifetime: store and embedder
// outlive it.
class Lessons final : public core::Memory {
 public:
  Lessons(LessonStore& store, core::Embedder& embedder, LessonsOptions options);
  ~Lessons() override;

  async<std::vector<core::Lesson>> recall(core::Context context, const core::Task& task) override;
  async<std::vector<core::Lesson>> learn(core::Context context, const core::Run& run) override;

 private:
  struct Work;
  std::vector<core::Lesson> recall_now(const core::Context& context, const core::Task& task);
  std::vector<core::Lesson> learn_now(const core::Context& context, const core::Run& run);
  void record(const std::string& run, std::optional<core::Outcome> outcome, Instant at,
              std::span<const core::Lesson> shown);
  async<void> do_work(Work& work);
  async<std::vector<core::Lesson>> done(std::string doing,
                                        std::function<std::vector<core::Lesson>()> work);

  LessonStore& store_;
  LessonsOptions options_;
  Recall recall_;
  Learning learning_;
  std::string hidden_;  // What the last recall hid; pool's thread.
  WorkerPool pool_{1};  // Last: it ends first.
};

}  // namespace hone::memory
