// One run of a task that is really made: its models are asked and everything is recorded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "apps/hone/assembly.h"
#include "apps/hone/models.h"
#include "apps/hone/run_options.h"
#include "apps/hone/scene.h"
#include "hone/async/async.h"
#include "hone/journal/journal.h"
#include "hone/journal/recording.h"
#include "hone/task/task_file.h"

namespace hone::app {

struct LiveOptions {
  std::optional<std::uint64_t> seed;
  RunOptions run;
  core::Memory* memory = nullptr;  // Null: nothing is recalled or learned. Outlives the run.
  // The run that a fork leaves; of a fork that goes on, too. Absent: what it had not taken over yet
  // is made again.
  std::optional<journal::RecordedRun> original = {};
};

// The options of a run that begins now, here, with these flags.
LiveOptions live_options(const Flags& flags);

// Throws what is wrong with the models that the task is sure to ask, without asking them. To be
// called before anything is recorded.
void check_models(const task::TaskFile& file, Models& models, const LiveOptions& options);

// Threads: one loop's. Lifetime: models and journal outlive it. The run is in the store from the
// constructor on.
class LiveRun {
 public:
  LiveRun(task::TaskFile file, Models& models, journal::Journal& journal, LiveOptions options);
  // Goes on with a run that was interrupted, with the options of its record.
  LiveRun(journal::RecordedRun past, Models& models, journal::Journal& journal,
          LiveOptions options);

  const task::TaskFile& task() const { return file_; }
  const std::string& id() const { return recording_->run(); }
  const core::ModelNames& model_names() const { return assembly_->model_names(); }

  // Runs the loop and waits until everything is on the disk. `run` has what it came to also when
  // the journal's failure is thrown. `listener` hears of everything.
  async<void> play(core::Run& run, core::EventSink& listener);

 private:
  journal::RunHeader header(const core::ModelNames& models);
  void assemble(Models& models);

  task::TaskFile file_;
  LiveOptions options_;
  Scene scene_;
  Instant started_;  // Its budget of time counts from here.
  std::unique_ptr<journal::Recording> recording_;
  std::unique_ptr<Assembly> assembly_;
};

}  // namespace hone::app
