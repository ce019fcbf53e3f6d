#include "apps/hone/replay.h"

#include <memory>
#include <utility>

#include "apps/hone/assembly.h"
#include "apps/hone/run_options.h"
#include "apps/hone/scene.h"
#include "hone/async/run_sync.h"
#include "hone/core/loop.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/originals.h"
#include "hone/journal/recorded_memory.h"
#include "hone/journal/recorder.h"

namespace hone::app {
namespace {

async<void> replay_into(core::Run& run, core::Context context, core::Task task, core::Roles roles,
                        core::LoopOptions options, journal::Recording& recording) {
  run = co_await core::reflect(std::move(context), std::move(task), roles, std::move(options));
  co_await recording.close();
}

// The name that the model had then; a model that is another one now has the name it is asked by.
std::string name_of(core::Role role, const std::string& spec, const journal::RunHeader& header,
                    const task::TaskFile& recorded) {
  const auto name = header.models.find(role);
  const bool same = name != header.models.end() && spec_of(recorded, role) == spec;
  return same ? name->second : spec;
}

}  // namespace

core::Run play(const Replay& replay) {
  const journal::RunHeader& header = replay.recorded.header;
  const RunOptions run_options = run_options_in(header);
  const task::TaskFile recorded = task_in(replay.recorded);
  const auto recording = journal::Recording::replay(replay.recorded, replay.match);
  journal::RecordedMemory memory(replay.recorded);
  const auto absent = [&](core::Role role, const std::string& spec) {
    return std::make_unique<journal::AbsentModel>(name_of(role, spec, header, recorded));
  };
  Assembly assembly(replay.file, {.make_model = absent,
                                  .recording = recording.get(),
                                  .given = run_options.given,
                                  .fork = run_options.fork,
                                  .memory = &memory});
  core::NoEvents nobody;
  journal::Recorder recorder(*recording, nobody);
  journal::ReplayClock clock(*recording);
  Scene scene(replay.file.budget, header.seed);
  const core::LoopOptions options = loop_options(replay.file, run_options);
  const Instant started = header.started + replay.recorded.paused;
  const core::Context context = scene.context(header.run, recorder, clock, started);
  core::Run run;
  run_sync([&] {
    return replay_into(run, context, replay.file.task, assembly.roles(), options, *recording);
  });
  return run;
}

}  // namespace hone::app
