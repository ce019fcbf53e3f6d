// What a whole attempt costs beside its model: prompts, digests, a schema check and recording.
//
//   build/bench/attempt_bench
//
// Runs of three attempts, `runs` of them at once on one store, with a model that answers at once.
// CPU counts all threads of the process, the journal's too.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <ctime>
#include <filesystem>
#include <string>

#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/core/loop.h"
#include "hone/evaluate/schema_check.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/recorder.h"
#include "hone/model/budgeted.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"

namespace hone {
namespace {

constexpr int kAttempts = 3;
constexpr std::string_view kSchema =
    R"({"type":"object","required":["title","summary","total"],"additionalProperties":false,)"
    R"("properties":{"title":{"type":"string","minLength":3},"summary":{"type":"string"},)"
    R"("total":{"type":"number","minimum":0}}})";
constexpr std::string_view kReflection =
    R"({"what_happened":"A memo was written.","what_went_wrong":"Two fields are missing.",)"
    R"("why":"They were not copied from the note.","do_differently":"List the fields first.",)"
    R"("rule":"Check that every required field is there before answering."})";

// Improves with each attempt and never repeats itself.
class InstantModel final : public core::Model {
 public:
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    core::Usage usage;
    usage.calls = 1;
    usage.input.count = 400;
    usage.output.count = 80;
    std::string text(kReflection);
    if (request.role != core::Role::Reflect) {
      text = R"({"title":")" + context.run.text() + R"(","attempt":)" +
             std::to_string(request.attempt) +
             (request.attempt == kAttempts ? R"(,"summary":"Up 4 %.)" : R"(,"text":"Up 4 %.)") +
             std::string(200, 'u') + R"("})";
    }
    co_return core::ModelReply{std::move(text), core::Finish::Complete, "instant", usage};
  }
  std::string name() const override { return "instant"; }
};

journal::RunHeader header_of(std::size_t number) {
  journal::RunHeader header;
  header.run = "run" + std::to_string(1'000'000 + number);
  header.task_name = "bench";
  header.task.text = header.options.text = "{}";
  header.process = journal::this_process();
  return header;
}

core::Task task_of(std::size_t number) {
  core::Task task;
  task.name = "memo";
  task.prompt = "Summarise memo " + std::to_string(number) +
                " as JSON {title, summary, total}.\n\n" + std::string(600, 'm');
  return task;
}

struct Scene {
  journal::Journal& journal;
  core::Model& model;
  core::Evaluator& check;
  SystemClock clock;
  core::SeededRandom random{1};
};

async<void> run_once(Scene& scene, std::size_t number) {
  const auto recording = journal::Recording::record(scene.journal, header_of(number));
  core::NoEvents nobody;
  journal::Recorder recorder(*recording, nobody);
  model::Budgeted model(std::make_unique<journal::JournaledModel>(*recording, scene.model));
  reflect::ModelGenerator generator(model);
  reflect::ModelReflector reflector(model);
  reflect::Regenerate reviser(model);
  core::NoMemory memory;
  core::Ledger ledger;
  core::Context context;
  context.run = recording->run();
  context.ledger = &ledger;
  context.events = &recorder;
  context.clock = &scene.clock;
  context.random = &scene.random;
  const core::Roles roles{generator, scene.check, reflector, reviser, memory};
  core::LoopOptions options;
  options.stop.attempts = kAttempts;
  options.stop.when.plateau.reset();
  const core::Run run = co_await core::reflect(context, task_of(number), roles, options);
  co_await recording->close();
  benchmark::DoNotOptimize(run.selected);
}

double process_cpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void Attempts(benchmark::State& state) {
  const auto runs = static_cast<std::size_t>(state.range(0));
  std::string place = (std::filesystem::temp_directory_path() / "hone-bench-XXXXXX").string();
  const std::filesystem::path directory = mkdtemp(place.data());
  {
    journal::Journal journal({.path = directory / "store.db"});
    InstantModel model;
    evaluate::SchemaCheck check{schema::Schema(kSchema)};
    Scene scene{journal, model, check, {}, core::SeededRandom(1)};
    std::size_t first = 0;
    const double before = process_cpu();
    for (auto unused : state) {
      const auto start = [&](std::size_t i) { return run_once(scene, first + i); };
      run_sync([&] { return for_each_index(runs, runs, start); });
      first += runs;
    }
    const auto attempts = static_cast<double>(first) * kAttempts;
    state.counters["cpu_us_per_attempt"] = (process_cpu() - before) * 1e6 / attempts;
    state.counters["attempts_per_commit"] = attempts / static_cast<double>(journal.commits());
  }
  std::filesystem::remove_all(directory);
}
BENCHMARK(Attempts)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->UseRealTime()->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace hone
