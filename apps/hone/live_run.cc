#include "apps/hone/live_run.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "apps/hone/store.h"
#include "apps/hone/task_argument.h"
#include "hone/core/loop.h"
#include "hone/journal/recorder.h"
#include "hone/journal/run_id.h"
#include "hone/task/write.h"

namespace hone::app {
namespace {

AssemblyOptions assembly_options(Models& models, const RunOptions& options,
                                 journal::Recording* recording) {
  AssemblyOptions assembly;
  assembly.make_model = [&models](core::Role, const std::string& spec) {
    return models.make(spec);
  };
  assembly.cost_at_most = [&models](const std::string& spec) { return models.cost_at_most(spec); };
  assembly.recording = recording;
  assembly.code = &models.code();
  assembly.given = options.given;
  assembly.fork = options.fork;
  return assembly;
}

core::ModelNames names_of(const task::TaskFile& file, Models& models, const RunOptions& options) {
  return Assembly(file, assembly_options(models, options, nullptr)).model_names();
}

}  // namespace

LiveOptions live_options(const Flags& flags) {
  LiveOptions options;
  options.seed = seed_of(flags);
  std::error_code failure;
  options.run.directory = std::filesystem::current_path(failure);
  options.run.base_url = flags.base_url;
  options.run.key_file = flags.api_key_file;
  options.run.lessons_dir = flags.lessons_dir;
  options.run.redaction = redaction_of(flags);
  return options;
}

void check_models(const task::TaskFile& file, Models& models, const LiveOptions& options) {
  (void)names_of(file, models, options.run);
}

LiveRun::LiveRun(task::TaskFile file, Models& models, journal::Journal& journal,
                 LiveOptions options)
    : file_(std::move(file)),
      options_(std::move(options)),
      scene_(file_.budget, options_.seed),
      started_(scene_.clock().now()) {
  recording_ = journal::Recording::record(journal, header(names_of(file_, models, options_.run)));
  assemble(models);
}

LiveRun::LiveRun(journal::RecordedRun past, Models& models, journal::Journal& journal,
                 LiveOptions options)
    : file_(task_in(past)),
      options_(std::move(options)),
      scene_(file_.budget, past.header.seed),
      started_(past.header.started + past.paused) {
  const Instant now = scene_.clock().now();
  if (now > past.last) started_ += now - past.last;
  const std::vector<journal::Record> effects = past.effects;
  recording_ = journal::Recording::resume(journal, std::move(past), journal::this_process(), now);
  assemble(models);
  for (const journal::Record& effect : effects) models.mark_used(id(), effect);
}

void LiveRun::assemble(Models& models) {
  AssemblyOptions assembly = assembly_options(models, options_.run, recording_.get());
  assembly.memory = options_.memory;
  assembly_ = std::make_unique<Assembly>(file_, std::move(assembly));
  if (!options_.original || !options_.run.fork) return;
  const auto taken = [&models, run = id()](const journal::Record& effect) {
    models.mark_used(run, effect);
  };
  recording_->take_over(
      options_.run.fork->at > 0
          ? journal::Kept(*std::move(options_.original), options_.run.fork->at, taken)
          : journal::Kept::by_request(*std::move(options_.original), taken));
}

journal::RunHeader LiveRun::header(const core::ModelNames& models) {
  journal::RunHeader header;
  header.run = journal::new_run_id(started_, scene_.random());
  header.hone_version = HONE_VERSION;
  header.task_name = file_.task.name;
  header.task = task::to_json_text(file_);
  header.options = to_json_text(options_.run, file_.folder);
  header.models = models;
  header.seed = scene_.seed();
  header.redaction = options_.run.redaction;
  header.process = journal::this_process();
  header.started = started_;
  return header;
}

async<void> LiveRun::play(core::Run& run, core::EventSink& listener) {
  journal::Recorder recorder(*recording_, listener);
  journal::RunClock clock(*recording_, scene_.clock());
  const core::Context context = scene_.context(id(), recorder, clock, started_);
  const core::LoopOptions options = loop_options(file_, options_.run);
  run = co_await core::reflect(context, file_.task, assembly_->roles(), options);
  co_await recording_->close();
}

}  // namespace hone::app
