#include "tests/simulation/simulated_run.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/core/json_form.h"
#include "hone/evaluate/chain.h"
#include "hone/evaluate/command.h"
#include "hone/evaluate/contains.h"
#include "hone/evaluate/judge.h"
#include "hone/journal/journaled_effects.h"
#include "hone/journal/originals.h"
#include "hone/journal/recorder.h"
#include "hone/journal/run_store.h"
#include "hone/model/budgeted.h"
#include "hone/model/continued.h"
#include "hone/model/retried.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"

namespace hone::simulation {
namespace {

std::optional<Usd> price(Tokens prompt, Tokens answer) {
  return Usd{1e-6 * static_cast<double>(prompt.count + answer.count)};
}

// The parts of one life, as the command puts them together.
class Engine {
 public:
  Engine(const Scenario& scenario, journal::Recording& recording,
         std::unique_ptr<core::Model> provider, core::Runner& runner)
      : runner_(recording, runner),
        budgeted_(std::make_unique<model::Retried>(std::move(provider)), price),
        model_(std::make_unique<journal::JournaledModel>(recording, budgeted_)),
        generator_(model_),
        reflector_(model_),
        reviser_(model_) {
    std::vector<evaluate::NamedCheck> checks;
    const evaluate::CommandOptions command{.run = "check", .directory = ""};
    if (scenario.has_command) {
      checks.push_back({"command", std::make_unique<evaluate::CommandCheck>(command, runner_)});
    }
    evaluate::JudgeOptions judge;
    judge.rubric = "Is it good?";
    checks.push_back({"judge", std::make_unique<evaluate::Judge>(model_, judge), true, false});
    chain_ = std::make_unique<evaluate::Chain>(std::move(checks));
  }
  core::Roles roles() { return {generator_, *chain_, reflector_, reviser_, memory_}; }

 private:
  journal::JournaledRunner runner_;
  model::Budgeted budgeted_;
  model::Continued model_;
  reflect::ModelGenerator generator_;
  reflect::ModelReflector reflector_;
  reflect::ModelReviser reviser_;
  std::unique_ptr<evaluate::Chain> chain_;
  core::NoMemory memory_;
};

async<void> run_loop(core::Run& run, core::Context context, const Scenario& scenario,
                     core::Roles roles, journal::Recording& recording) {
  run = co_await core::reflect(std::move(context), scenario.task, roles, scenario.loop);
  co_await recording.close();
}

struct Surroundings {
  explicit Surroundings(const core::Budget& budget) : ledger(budget) {}

  core::Ledger ledger;
  core::NoEvents nobody;
  core::SeededRandom random{1};

  core::Context context(core::EventSink& events, Clock& clock, std::optional<Instant> deadline) {
    core::Context context;
    context.run = kRun;
    context.ledger = &ledger;
    context.events = &events;
    context.clock = &clock;
    context.random = &random;
    context.deadline = deadline;
    return context;
  }
};

journal::RunHeader header_of(const Scenario& scenario, Instant now) {
  journal::RunHeader header;
  header.run = kRun;
  header.hone_version = "0";
  header.task_name = scenario.task.name;
  header.task.text = header.options.text = "{}";
  header.models = {{core::Role::Generate, "simulated:1"}};
  header.process = {"", 0, 0, ""};
  header.started = now;
  return header;
}

std::optional<Instant> deadline_of(const Scenario& scenario, Instant start, Duration paused) {
  if (!scenario.budget.time) return std::nullopt;
  return start + paused + *scenario.budget.time;
}

std::optional<journal::RecordedRun> recorded(const std::string& path) {
  try {
    journal::RecordedRun run = journal::RunStore(path).recorded(kRun);
    journal::Sealer sealer(kSealKey);
    journal::unseal(run, &sealer);
    return run;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::NotFound) throw;
    return std::nullopt;
  }
}

std::string result_of(const core::Run& run) { return dump(core::to_json(run, {})); }

// One process from its start to its end or death.
class Life {
 public:
  Life(const Scenario& scenario, const std::string& path, int number, Outcome& outcome)
      : scenario_(scenario),
        outcome_(outcome),
        fate_(kill_of(scenario, number)),
        faults_(number > 20 ? Faults() : scenario.faults),
        disk_(path, scenario.seed + 1000 * static_cast<std::uint64_t>(number), faults_,
              outcome.outside, fate_, time_) {
    // Nobody worked on it for a while.
    time_.jump(std::chrono::minutes(number));
  }

  // Whether the run came to its end.
  bool live(std::optional<journal::RecordedRun> past) {
    note_answered(past);
    const Instant start = past ? past->header.started : time_.now();
    surroundings_.emplace(scenario_.budget);
    auto recording = begin(std::move(past));
    Engine engine(scenario_, *recording, model(), runner());
    journal::Recorder recorder(*recording, surroundings_->nobody);
    const auto deadline = deadline_of(scenario_, start, past_.paused);
    journal::RunClock clock(*recording, time_);
    const core::Context context = surroundings_->context(recorder, clock, deadline);
    try {
      time_.run(
          [&] { return run_loop(outcome_.run, context, scenario_, engine.roles(), *recording); });
    } catch (const Error& error) {
      // Only what cannot be written may escape the loop.
      if (!fate_.is_dead() && error.message() != "the disk is full") throw;
      disk_.settle_death();
      return false;
    }
    if (fate_.is_dead()) disk_.settle_death();
    return !fate_.is_dead();
  }

 private:
  static std::optional<std::uint64_t> kill_of(const Scenario& scenario, int number) {
    const auto index = static_cast<std::size_t>(number - 1);
    if (index >= scenario.kills.size()) return std::nullopt;
    return scenario.kills[index];
  }
  std::unique_ptr<core::Model> model() {
    return std::make_unique<SimulatedModel>(scenario_.seed, faults_, outcome_.outside, fate_,
                                            time_);
  }
  core::Runner& runner() {
    runner_.emplace(scenario_.seed, faults_, fate_, time_);
    return *runner_;
  }
  std::unique_ptr<journal::Recording> begin(std::optional<journal::RecordedRun> past) {
    if (!past) return journal::Recording::record(disk_, header_of(scenario_, time_.now()));
    past_ = *past;
    if (time_.now() > past->last) past_.paused += time_.now() - past->last;
    return journal::Recording::resume(disk_, *std::move(past), {"", 0, 0, ""}, time_.now());
  }
  // Every answer that is on the disk now must not be asked for again.
  void note_answered(const std::optional<journal::RecordedRun>& past) {
    if (!past) return;
    for (const journal::Record& record : past->effects) {
      if (record.kind == journal::Kind::Model && !record.failed) durable_.insert(record.path);
    }
    before_ = outcome_.outside.tries;
  }

 public:
  void tell_repeats() {
    for (const std::string& path : durable_) {
      const auto now = outcome_.outside.tries.find(path);
      const auto then = before_.find(path);
      const int tries = now == outcome_.outside.tries.end() ? 0 : now->second;
      if (tries != (then == before_.end() ? 0 : then->second)) outcome_.asked_again.insert(path);
    }
  }

 private:
  const Scenario& scenario_;
  Outcome& outcome_;
  VirtualTime time_;
  Fate fate_;
  Faults faults_;
  SimulatedDisk disk_;
  std::optional<SimulatedRunner> runner_;
  std::optional<Surroundings> surroundings_;
  journal::RecordedRun past_;
  std::set<std::string> durable_;
  std::map<std::string, int> before_;
};

bool is_over(const std::optional<journal::RecordedRun>& past) {
  if (!past) return false;
  const core::Run run = journal::fold(*past);
  return run.stop && !past->events.empty() &&
         past->events.back().text.starts_with(R"({"event":"run_finished")") &&
         run.stop->reason != core::StopReason::Cancelled;
}

}  // namespace

Outcome play(const Scenario& scenario, const std::string& path) {
  Outcome outcome;
  for (int number = 1;; ++number) {
    outcome.lives = number;
    auto past = number == 1 ? std::nullopt : recorded(path);
    // It died after its last word was written.
    if (is_over(past)) break;
    Life life(scenario, path, number, outcome);
    const bool ended = life.live(std::move(past));
    life.tell_repeats();
    if (ended) break;
    if (number > 100) throw Error(ErrorKind::Internal, "the run never ends");
  }
  outcome.run = journal::original_run(recorded(path).value());
  outcome.result = result_of(outcome.run);
  return outcome;
}

std::string replayed(const Scenario& scenario, const std::string& path) {
  journal::RecordedRun past = recorded(path).value();
  const auto deadline = deadline_of(scenario, past.header.started, past.paused);
  const auto recording = journal::Recording::replay(std::move(past));
  SystemClock unused;
  VirtualTime time;
  Fate fate(0);  // Whoever asks the world dies.
  const Faults none;
  SimulatedRunner runner(scenario.seed, none, fate, time);
  Engine engine(scenario, *recording, std::make_unique<journal::AbsentModel>("simulated:1"),
                runner);
  Surroundings surroundings(scenario.budget);
  journal::Recorder recorder(*recording, surroundings.nobody);
  journal::ReplayClock clock(*recording);
  const core::Context context = surroundings.context(recorder, clock, deadline);
  core::Run run;
  time.run([&] { return run_loop(run, context, scenario, engine.roles(), *recording); });
  return result_of(run);
}

}  // namespace hone::simulation
