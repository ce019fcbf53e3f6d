#include "apps/hone/live_run.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "hone/core/loop.h"
#include "hone/journal/recorder.h"
#include "hone/journal/run_id.h"
#include "hone/task/write.h"

namespace hone::app {
namespace {

AssemblyOptions assembly_options(Models& models, const LiveOptions& options,
                                 journal::Recording* recording) {
  AssemblyOptions assembly;
  assembly.make_model = [&models](core::Role, const std::string& spec) {
    return models.make(spec);
  };
  assembly.recording = recording;
  assembly.given = options.given;
  assembly.memory = options.memory;
  return assembly;
}

core::ModelNames names_of(const task::TaskFile& file, Models& models, const LiveOptions& options) {
  return Assembly(file, assembly_options(models, options, nullptr)).model_names();
}

}  // namespace

void check_models(const task::TaskFile& file, Models& models, const LiveOptions& options) {
  (void)names_of(file, models, options);
}

LiveRun::LiveRun(task::TaskFile file, Models& models, journal::Journal& journal,
                 const LiveOptions& options)
    : file_(std::move(file)), scene_(file_.budget, options.seed), started_(scene_.clock().now()) {
  const core::ModelNames names = names_of(file_, models, options);
  recording_ = journal::Recording::record(journal, header(names, options));
  assembly_ =
      std::make_unique<Assembly>(file_, assembly_options(models, options, recording_.get()));
}

journal::RunHeader LiveRun::header(const core::ModelNames& models, const LiveOptions& options) {
  Json others = {{"folder", file_.folder.string()}};
  if (options.given) others["given"] = *options.given;
  journal::RunHeader header;
  header.run = journal::new_run_id(started_, scene_.random());
  header.hone_version = HONE_VERSION;
  header.task_name = file_.task.name;
  header.task = task::to_json_text(file_);
  header.options = {dump(others)};
  header.models = models;
  header.seed = scene_.seed();
  header.process = journal::this_process();
  header.started = started_;
  return header;
}

async<void> LiveRun::play(core::Run& run, core::EventSink& listener) {
  journal::Recorder recorder(*recording_, listener);
  const core::Context context = scene_.context(id(), recorder, scene_.clock(), started_);
  const core::LoopOptions options = loop_options(file_);
  run = co_await core::reflect(context, file_.task, assembly_->roles(), options);
  co_await recording_->close();
}

}  // namespace hone::app
