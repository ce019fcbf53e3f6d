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
  // How long a run waits for the store before it goes on without: a lock that another process
  // holds, a disk that does not answer. Real time.
  Duration recall_time = std::chrono::seconds(4);
  Duration learn_time = std::chrono::seconds(8);
  // Hears, in a sentence, what was hidden and what failed. On the run's loop thread.
  std::function<void(const std::string&)> tell = {};
};

// Longest lessons of a block together, in bytes; the oldest go first.
inline constexpr std::size_t kLongestBlock = 6000;

// What a run teaches: of each attempt that was not accepted and has a reflection, its rule (or what
// to do differently); of any reflection, its principle and its procedure.
std::vector<StoredLesson> lessons_of(const core::Run& run, const Owner& owner);

// A decision, by whoever made it.
struct Decision {
  core::Reflection said;  // The decision stands in `rule`, alternatives in `what_happened`, reasons
                          // in `why`; a principle and a procedure make lessons of their own.
  core::Task task;        // What it was made for; may be empty.
  std::string tool = {};
  std::string conditions = {};
  std::string run = {};  // In which it was made; may be empty.
  Instant at = {};
};
// What it leaves: the decision, a rule from its principle and a playbook from its procedure.
std::vector<StoredLesson> lessons_of(const Decision& decision, const Owner& owner);

// A store that cannot be read or written, or not in time, costs the lessons, never the run; `tell`
// hears of it. What a store holds up beyond that is left behind with the store, which is why the
// object shares it. Threads: any loop; calls of several runs wait for each other.
class Lessons final : public core::Memory {
 public:
  Lessons(std::shared_ptr<LessonStore> store, std::shared_ptr<core::Embedder> embedder,
          LessonsOptions options);
  ~Lessons() override;

  async<std::vector<core::Lesson>> recall(core::Context context, const core::Task& task) override;
  async<std::vector<core::Lesson>> learn(core::Context context, const core::Run& run) override;
  // What a run of the task would be shown now. Nothing is counted.
  async<std::vector<core::Lesson>> preview(const core::Task& task);

 private:
  class Desk;
  struct Work;
  std::shared_ptr<Work> recalling(const core::Task& task) const;
  async<void> do_work(std::shared_ptr<Work> work);
  async<std::vector<core::Lesson>> done(std::shared_ptr<Work> work);

  LessonsOptions options_;
  std::shared_ptr<Desk> desk_;
  WorkerPool pool_{1};  // Last: it ends first.
};

}  // namespace hone::memory
