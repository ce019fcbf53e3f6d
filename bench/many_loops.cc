// How much memory many runs need that wait at once: each makes three attempts, which a model judges
// and reflects on, with a model that is a script and takes its time.
//
//   build/bench/many_loops [LOOPS [MEGABYTES]]
//
// Prints one line. Fails if a run does not end as the script says, if they were not all under way
// at once, or if the process has ever been larger than MEGABYTES.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/loop.h"
#include "hone/evaluate/judge.h"
#include "hone/model/scripted.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"

namespace {

using namespace hone;

constexpr int kAttempts = 3;
constexpr std::chrono::milliseconds kDelay{300};  // Longer than all of them take to begin, eight
                                                  // times over.

model::ScriptRule rule(core::Role role, int attempt, std::string reply) {
  model::ScriptRule rule;
  rule.role = role;
  rule.attempt = attempt;
  rule.reply = std::move(reply);
  rule.delay = kDelay;
  rule.repeat = true;
  return rule;
}

std::vector<model::ScriptRule> script() {
  std::vector<model::ScriptRule> rules;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    const core::Role maker = attempt == 1 ? core::Role::Generate : core::Role::Revise;
    const bool passes = attempt == kAttempts;
    rules.push_back(rule(maker, attempt, fmt::format("{} {}", attempt, std::string(500, 'x'))));
    rules.push_back(rule(core::Role::Evaluate, attempt,
                         fmt::format(R"({{"passed":{},"score":0.{},"reason":"as written"}})",
                                     passes, passes ? 9 : attempt)));
    rules.push_back(rule(core::Role::Reflect, attempt, "Look at every field before answering."));
  }
  return rules;
}

core::Task task_of(std::size_t number) {
  core::Task task;
  task.name = std::to_string(number);
  task.prompt = fmt::format("Write text {} of the series. {}", number, std::string(300, 'p'));
  return task;
}

// What all runs share.
struct Scene {
  Scene() : generator(model), reflector(model), reviser(model), judge(model) {}

  core::Roles roles() { return {generator, judge, reflector, reviser, memory}; }

  model::ScriptedModel model{script(), "many_loops"};
  reflect::ModelGenerator generator;
  reflect::ModelReflector reflector;
  reflect::Regenerate reviser;
  evaluate::Judge judge;
  core::NoMemory memory;
  core::NoEvents events;
  SystemClock clock;
  core::SeededRandom random{1};
  std::size_t under_way = 0;
  std::size_t most_under_way = 0;
  std::size_t passed = 0;
};

async<core::Run> run_of(Scene& scene, core::Ledger& ledger, std::size_t number) {
  core::Context context;
  context.run = fmt::format("run{:06}", number);
  context.ledger = &ledger;
  context.events = &scene.events;
  context.clock = &scene.clock;
  context.random = &scene.random;
  core::LoopOptions options;
  options.stop.attempts = kAttempts;
  options.stop.when.plateau.reset();
  return core::reflect(context, task_of(number), scene.roles(), options);
}

async<void> loop(Scene& scene, std::size_t number) {
  scene.most_under_way = std::max(scene.most_under_way, ++scene.under_way);
  core::Ledger ledger;
  auto running = run_of(scene, ledger, number);
  const core::Run run = co_await std::move(running);
  --scene.under_way;
  const bool as_written = run.accepted() && run.selected == kAttempts &&
                          run.attempts.back().evaluation.score == Score(0.9);
  if (as_written) ++scene.passed;
}

// Of the whole life of the process.
double peak_megabytes() {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word) {
    double kilobytes = 0;
    if (word == "VmHWM:" && file >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

bool many_loops(std::size_t count, double limit) {
  Scene scene;
  const auto began = std::chrono::steady_clock::now();
  const auto start = [&](std::size_t i) { return loop(scene, i); };
  run_sync([&] { return for_each_index(count, count, start); });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  const double cpu = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const double peak = peak_megabytes();
  fmt::print(
      "{} of {} loops passed, {} at once: {:.1f} s, {:.3f} ms CPU a loop, {:.0f} MB at most\n",
      scene.passed, count, scene.most_under_way, taken.count(),
      1000 * cpu / static_cast<double>(count), peak);
  return scene.passed == count && scene.most_under_way == count && peak > 0 && peak <= limit;
}

}  // namespace

int main(int count, char** words) {
  try {
    const std::size_t loops = count > 1 ? std::stoul(words[1]) : 10'000;
    return many_loops(loops, count > 2 ? std::stod(words[2]) : 500) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "many_loops: {}\n", error.what());
    return 1;
  }
}
