// What the loop itself costs: attempts with roles that are plain functions, nothing recorded.
#include <benchmark/benchmark.h>

#include <utility>

#include "hone/async/run_sync.h"
#include "hone/core/function_roles.h"
#include "hone/core/loop.h"

namespace hone::core {
namespace {

async<void> run_loops(benchmark::State& state, Context context, Roles roles) {
  LoopOptions options;
  options.stop.attempts = static_cast<int>(state.range(0));
  options.stop.when.plateau.reset();
  for (auto _ : state) {
    Task task;
    Run run = co_await reflect(context, std::move(task), roles, options);
    benchmark::DoNotOptimize(run.selected);
  }
}

void attempt(benchmark::State& state) {
  const auto attempts = static_cast<double>(state.range(0));
  const auto output = [](const Run& run) {
    return Output{.text = std::to_string(run.attempts.size())};
  };
  FunctionGenerator generator(output);
  FunctionReviser reviser(output);
  FunctionEvaluator evaluator([attempts](const Run& run, const Output&) {
    return failed(Score(static_cast<double>(run.attempts.size()) / attempts), {});
  });
  FunctionReflector reflector(
      [](const Run&) { return Reflection{.text = "Try a larger number."}; });
  NoMemory memory;
  Ledger ledger;
  NoEvents events;
  SystemClock clock;
  SeededRandom random(1);
  Context context{.run = "bench"};
  context.ledger = &ledger;
  context.events = &events;
  context.clock = &clock;
  context.random = &random;
  const Roles roles{generator, evaluator, reflector, reviser, memory};
  run_sync([&] { return run_loops(state, context, roles); });
  // Shown as the time of one attempt.
  state.counters["per_attempt"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * attempts,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(attempt)->Arg(3)->Arg(100);

}  // namespace
}  // namespace hone::core
