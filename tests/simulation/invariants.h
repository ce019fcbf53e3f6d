// What has to hold for every run, whatever happened to it (docs/architecture.md).
#pragma once

#include <string>
#include <vector>

#include "tests/simulation/simulated_run.h"

namespace hone::simulation {

// What is broken, a sentence each; empty when all holds. `path` is the store of the run.
std::vector<std::string> broken_invariants(const Scenario& scenario, const Outcome& outcome,
                                           const std::string& path);

// In what the run differs from one that was never interrupted. Only for worlds without faults, in
// which both get the same answers.
std::vector<std::string> differences(const Outcome& outcome, const Outcome& undisturbed);

}  // namespace hone::simulation
