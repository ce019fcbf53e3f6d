// What recording costs: per effect alone and in groups, opening a store, and replaying.
//
//   build/bench/journal_bench
//
// CPU counts all threads of the process. Times of disks: compare with the `fdatasync` line.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <string>

#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/run_store.h"

namespace hone::journal {
namespace {

namespace fs = std::filesystem;

class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "hone-bench-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~Place() { fs::remove_all(directory_); }
  std::string store(int number = 0) const { return directory_ / (std::to_string(number) + ".db"); }

 private:
  fs::path directory_;
};

std::string reply_text(const std::string& run, int attempt) {
  return "Reply " + std::to_string(attempt) + " of " + run + std::string(300, 'r');
}

class InstantModel final : public core::Model {
 public:
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    core::Usage usage;
    usage.calls = 1;
    usage.input.count = 400;
    usage.output.count = 80;
    std::string text = reply_text(context.run, request.attempt);
    co_return core::ModelReply{std::move(text), core::Finish::Complete, "instant", usage};
  }
  std::string name() const override { return "instant"; }
};

RunHeader header_of(std::size_t number) {
  RunHeader header;
  header.run = "run" + std::to_string(1'000'000 + number);
  header.task_name = "bench";
  header.task.text = header.options.text = "{}";
  header.process = this_process();
  return header;
}

// 1.4 kB in four messages as runs make them: the task, the last reply, an instruction.
core::ModelRequest request_of(const std::string& run, int attempt) {
  core::ModelRequest request;
  request.attempt = attempt;
  request.messages = {{core::Speaker::System, "You write memos. " + std::string(180, 's')},
                      {core::Speaker::User, "Task of " + run + std::string(500, 't')},
                      {core::Speaker::Assistant, reply_text(run, attempt - 1)},
                      {core::Speaker::User, "Write it anew. " + std::string(300, 'i')}};
  request.sampling.temperature = 0.7;
  request.prompt = {"generate", "0123456789ab"};
  return request;
}

async<void> make_effects(Recording& recording, core::Model& inner, Clock& clock, int effects) {
  JournaledModel model(recording, inner);
  core::Context context;
  context.run = recording.run();
  context.clock = &clock;
  for (int i = 1; i <= effects; ++i) {
    const core::ModelRequest request = request_of(context.run, i);
    const core::ModelReply reply = co_await model.complete(context.at("attempt", i), request);
    benchmark::DoNotOptimize(reply.text.size());
  }
}

async<void> record_effects(Journal& journal, core::Model& inner, Clock& clock, std::size_t run,
                           int effects) {
  const auto recording = Recording::record(journal, header_of(run));
  co_await make_effects(*recording, inner, clock, effects);
}

double process_cpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

async<void> make_unrecorded(core::Model& model, std::string run, int effects) {
  for (int i = 1; i <= effects; ++i) {
    const core::ModelRequest request = request_of(run, i);
    core::Context context;
    context.run = run;
    const core::ModelReply reply = co_await model.complete(context.at("attempt", i), request);
    benchmark::DoNotOptimize(reply.text.size());
  }
}

// What the same calls cost where nothing is recorded, in seconds each.
double unrecorded_cpu(std::size_t runs, int effects) {
  InstantModel model;
  const auto start = [&](std::size_t i) {
    return make_unrecorded(model, header_of(i).run, effects);
  };
  const double before = process_cpu();
  for (int again = 0; again < 5; ++again) {
    run_sync([&] { return for_each_index(runs, runs, start); });
  }
  return (process_cpu() - before) / 5 / static_cast<double>(runs) / effects;
}

void report(benchmark::State& state, double cpu, std::int64_t commits) {
  const auto effects = static_cast<double>(state.items_processed());
  const double alone = unrecorded_cpu(static_cast<std::size_t>(state.range(0)), 20);
  state.counters["cpu_us_per_effect"] = cpu * 1e6 / effects;
  state.counters["journal_us_per_effect"] = (cpu / effects - alone) * 1e6;
  state.counters["effects_per_commit"] = effects / static_cast<double>(commits);
}

// Runs at once, each of 20 effects.
void Effects(benchmark::State& state) {
  const auto runs = static_cast<std::size_t>(state.range(0));
  const int effects = 20;
  const Place place;
  Journal journal({.path = place.store()});
  InstantModel inner;
  SystemClock clock;
  std::size_t first = 0;
  std::int64_t made = 0;
  const double before = process_cpu();
  for (auto unused : state) {
    const auto start = [&](std::size_t i) {
      return record_effects(journal, inner, clock, first + i, effects);
    };
    run_sync([&] { return for_each_index(runs, runs, start); });
    first += runs;
    made += static_cast<std::int64_t>(runs) * effects;
  }
  state.SetItemsProcessed(made);
  report(state, process_cpu() - before, journal.commits());
}
BENCHMARK(Effects)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->UseRealTime()->Unit(
    benchmark::kMillisecond);

async<void> first_commit(Journal& journal, std::size_t number) {
  const auto recording = Recording::record(journal, header_of(number));
  co_await recording->settled();
}

// Until the first record is on the disk, and the store closed again.
void OpenNewStore(benchmark::State& state) {
  const Place place;
  int number = 0;
  for (auto unused : state) {
    Journal journal({.path = place.store(++number)});
    run_sync([&] { return first_commit(journal, 1); });
  }
}
BENCHMARK(OpenNewStore)->UseRealTime()->Unit(benchmark::kMillisecond);

void OpenExistingStore(benchmark::State& state) {
  const Place place;
  std::size_t number = 0;
  const Journal keeps_it_open({.path = place.store()});
  for (auto unused : state) {
    Journal journal({.path = place.store()});
    run_sync([&] { return first_commit(journal, ++number); });
  }
}
BENCHMARK(OpenExistingStore)->UseRealTime()->Unit(benchmark::kMillisecond);

// Reading a recorded run and answering all of its effects from it.
void Replay(benchmark::State& state) {
  const int effects = 1000;
  const Place place;
  InstantModel inner;
  SystemClock clock;
  {
    Journal journal({.path = place.store()});
    run_sync([&] { return record_effects(journal, inner, clock, 1, effects); });
  }
  RunStore store(place.store());
  for (auto unused : state) {
    const auto replay = Recording::replay(store.recorded(header_of(1).run));
    run_sync([&] { return make_effects(*replay, inner, clock, effects); });
  }
  state.SetItemsProcessed(state.iterations() * effects);
}
BENCHMARK(Replay)->Unit(benchmark::kMillisecond);

// The disk itself: what one write that survives a crash costs here.
void Fdatasync(benchmark::State& state) {
  const Place place;
  const int file = open(place.store().c_str(), O_CREAT | O_RDWR, 0600);
  const std::string page(4096, 'p');
  off_t at = 0;
  for (auto unused : state) {
    if (pwrite(file, page.data(), page.size(), at) < 0 || fdatasync(file) != 0) {
      state.SkipWithError("cannot write");
    }
    at = (at + 4096) % (1 << 20);
  }
  close(file);
}
BENCHMARK(Fdatasync)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hone::journal
