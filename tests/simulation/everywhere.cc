#include "tests/simulation/everywhere.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "hone/base/error.h"
#include "tests/simulation/folder.h"
#include "tests/simulation/invariants.h"

namespace hone::simulation {
namespace {

// The scenario of the seed in a world in which nothing goes wrong by itself.
Scenario calm(std::uint64_t seed) {
  Scenario scenario = scenario_of(seed);
  scenario.faults = {};
  scenario.kills.clear();
  scenario.budget = {};
  scenario.loop.at_once = 1;
  return scenario;
}

int tell(const Scenario& scenario, const std::string& where,
         const std::vector<std::string>& found) {
  for (const std::string& what : found) {
    fmt::print("seed {}, {}: {}\n", scenario.seed, where, what);
  }
  return static_cast<int>(found.size());
}

Outcome played(const Scenario& scenario, std::vector<std::string>& found) {
  const Folder folder;
  Outcome outcome = play(scenario, folder.store());
  found = broken_invariants(scenario, outcome, folder.store());
  return outcome;
}

int fail_write(Scenario scenario, std::uint64_t number, const Outcome& calm) {
  scenario.faults.write_number = number;
  std::vector<std::string> found;
  const Outcome outcome = played(scenario, found);
  if (outcome.lives != 2) found.push_back(fmt::format("it had {} lives", outcome.lives));
  const auto more = differences(outcome, calm);
  found.insert(found.end(), more.begin(), more.end());
  return tell(scenario, fmt::format("write {}", number), found);
}

int fail_call(Scenario scenario, std::uint64_t number, double kind, const Outcome& calm) {
  scenario.faults.call_number = number;
  scenario.faults.kind = kind;
  std::vector<std::string> found;
  const Outcome outcome = played(scenario, found);
  // These pass with the next try.
  const bool passes = kind < 0.6 || kind >= 0.9;
  if (passes && outcome.run.selected != calm.run.selected) found.push_back("another is returned");
  if (passes && outcome.run.stop != calm.run.stop) found.push_back("it stops for another reason");
  return tell(scenario, fmt::format("call {} of kind {}", number, kind), found);
}

// What a run comes to with so many judges broken.
core::Run judged(Scenario scenario, double broken) {
  scenario.faults.judge = broken;
  const Folder folder;
  return play(scenario, folder.store()).run;
}

bool passed(const core::Run& run) {
  const core::Attempt* selected = run.find_selected();
  return selected != nullptr && selected->evaluation.outcome == core::Outcome::Passed;
}

}  // namespace

int fail_everywhere(std::uint64_t seed) {
  constexpr std::array kKinds{0.1, 0.5, 0.7, 0.85, 0.95};
  const Scenario scenario = calm(seed);
  std::vector<std::string> found;
  const Outcome undisturbed = played(scenario, found);
  int failed = tell(scenario, "undisturbed", found);
  for (std::uint64_t write = 1; write <= undisturbed.outside.writes; ++write) {
    failed += fail_write(scenario, write, undisturbed);
  }
  for (std::uint64_t call = 1; call <= undisturbed.outside.calls; ++call) {
    for (const double kind : kKinds) failed += fail_call(scenario, call, kind, undisturbed);
  }
  return failed;
}

BrokenJudges break_judges(std::uint64_t first, std::uint64_t last) {
  BrokenJudges counts;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Scenario scenario = calm(seed);
    scenario.loop = {};
    scenario.has_command = false;
    const core::Run whole = judged(scenario, 0);
    const core::Run broken = judged(scenario, 0.2);
    ++counts.runs;
    if (whole.selected != broken.selected) ++counts.changed;
    if (passed(whole) && !passed(broken)) ++counts.lost;
  }
  return counts;
}

}  // namespace hone::simulation
