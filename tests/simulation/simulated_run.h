// One run of the whole engine, made of its real parts, in a simulated world, killed and resumed as
// often as its seed says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hone/core/loop.h"
#include "tests/simulation/world.h"

namespace hone::simulation {

// What a seed stands for.
struct Scenario {
  std::uint64_t seed = 0;
  core::Task task;
  core::LoopOptions loop;
  core::Budget budget;
  Faults faults;
  bool has_command = false;          // A command check before the judge.
  std::vector<std::uint64_t> kills;  // After so many steps of each life.
};
Scenario scenario_of(std::uint64_t seed);

struct Outcome {
  core::Run run;       // Of the last life.
  std::string result;  // Its JSON.
  Ledgers outside;     // What the models saw.
  int lives = 1;
  std::set<std::string> asked_again;  // Paths that were answered, and whose answer was on the disk.
};

// Plays the scenario with the store at `path`, which does not exist yet, until the run is over.
// Throws what the engine lets escape, but for failures of the disk, after which it resumes.
Outcome play(const Scenario& scenario, const std::string& path);

// The result of a replay of what the store holds. Throws when it differs from the record.
std::string replayed(const Scenario& scenario, const std::string& path);

inline constexpr const char* kRun = "01jd0000000s1m00";

}  // namespace hone::simulation
