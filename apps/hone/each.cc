#include "apps/hone/each.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/hone/each_view.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/live_run.h"
#include "apps/hone/perform.h"
#include "apps/hone/result.h"
#include "apps/hone/rows.h"
#include "apps/hone/store.h"
#include "apps/hone/task_argument.h"
#include "hone/async/cancel.h"
#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"

namespace hone::app {
namespace {

constexpr int kDefaultJobs = 4;

// Prints lines in the order of their numbers, whatever the order they come in.
class InOrder {
 public:
  void print(std::size_t number, std::string line) {
    waiting_[number] = std::move(line);
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
      const std::string text = waiting_.begin()->second + "\n";
      std::fwrite(text.data(), 1, text.size(), stdout);
      waiting_.erase(waiting_.begin());
      ++next_;
    }
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw Error(ErrorKind::Unavailable, "the results cannot be written to stdout",
                "look where they are sent to");
  }

 private:
  std::map<std::size_t, std::string> waiting_;
  std::size_t next_ = 0;
};

class Each {
 public:
  Each(task::TaskBatch batch, const Flags& flags)
      : batch_(std::move(batch)),
        flags_(flags),
        models_(flags, batch_.file.folder),
        lessons_(batch_.file.lessons, flags) {
    check_models(batch_.file, models_, {});
    journal_.emplace(journal_options(flags));
    view_.emplace(Terminal::of_stderr(), batch_.tasks.size(), flags.quiet);
  }

  int run() {
    EventLoop loop;
    loop.cancel_on_signals();
    loop.run([this] { return all(); });
    view_->end();
    lessons_.tell_notes(flags_);
    return worst_;
  }

 private:
  async<void> all() {
    const auto jobs = static_cast<std::size_t>(flags_.jobs.value_or(kDefaultJobs));
    const auto row = [this](std::size_t index) { return apart(index); };
    const auto failure = co_await caught(for_each_index(batch_.tasks.size(), jobs, row));
    if (!failure) co_return;
    // A cancellation leaves rows that never began; those that had begun told for themselves.
    if (to_error(failure).kind() != ErrorKind::Cancelled) std::rethrow_exception(failure);
    worst_ = worse(worst_, kInterrupted);
  }

  // The end of a run is shielded from cancellation; in a task of its own, that does not shield the
  // run that comes after it.
  async<void> apart(std::size_t index) {
    const auto only = [this, index](std::size_t) { return one(index); };
    co_await for_each_index(1, 1, only);
  }

  async<void> one(std::size_t index) {
    task::TaskFile file = batch_.file;
    file.task = batch_.tasks[index];
    LiveOptions options = live_options(flags_);
    options.memory = &lessons_.memory();
    if (options.seed) *options.seed += index;
    LiveRun live(std::move(file), models_, *journal_, options);
    core::Run run;
    run.id = live.id();
    const auto failure = co_await caught(live.play(run, *view_));
    deliver(index, run, live.model_names(), failure);
  }

  void deliver(std::size_t index, const core::Run& run, const core::ModelNames& models,
               const std::exception_ptr& failure) {
    if (failure && to_error(failure).kind() == ErrorKind::Cancelled)
      std::rethrow_exception(failure);
    const int code = failure ? kFailure : exit_code_of(run);
    worst_ = worse(worst_, code);
    view_->ended(run, code);
    std::string line = failure ? dump(core::to_json(to_error(failure))) : result_text(run, models);
    const auto lock = view_->cleared();
    results_.print(index, std::move(line));
  }

  const task::TaskBatch batch_;
  const Flags& flags_;
  Models models_;
  LessonMemory lessons_;
  std::optional<journal::Journal> journal_;
  std::optional<EachView> view_;
  InOrder results_;
  int worst_ = kDone;
};

}  // namespace

int run_each(const std::string& argument, const Flags& flags) {
  if (flags.stream) {
    throw Error(ErrorKind::InvalidInput, "--stream shows one run, --each makes many",
                "leave out one of the two");
  }
  task::TaskBatch batch = batch_of(argument, read_rows(flags.each));
  if (batch.tasks.empty()) {
    if (!flags.quiet) fmt::print(stderr, "each        there is no line in {}\n", flags.each);
    return kDone;
  }
  batch.file = with_flags(std::move(batch.file), flags);
  add_default_check_aloud(batch.file, flags);
  return Each(std::move(batch), flags).run();
}

}  // namespace hone::app
