#include <algorithm>
#include <array>

#include "tests/simulation/simulated_run.h"

namespace hone::simulation {
namespace {

// Draws the numbers of one scenario, each under a name of its own.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  bool often(const std::string& what, double share) const { return chance(seed_, what) < share; }
  int between(const std::string& what, int least, int most) const {
    return least + static_cast<int>(chance(seed_, what) * (most - least + 1));
  }
  double share(const std::string& what) const { return chance(seed_, what); }

 private:
  std::uint64_t seed_;
};

core::Budget budget_of(const Draw& draw) {
  core::Budget budget;
  if (draw.often("tokens", 0.3)) budget.tokens = Tokens{draw.between("tokens of", 200, 12'000)};
  if (draw.often("usd", 0.2)) budget.usd = Usd{1e-6 * draw.between("usd of", 200, 12'000)};
  if (draw.often("calls", 0.2)) budget.calls = draw.between("calls of", 1, 12);
  if (draw.often("time", 0.2)) {
    budget.time = std::chrono::milliseconds(draw.between("time of", 50, 5000));
  }
  return budget;
}

Faults faults_of(const Draw& draw) {
  if (draw.often("no faults", 0.25)) return {};
  return {.call = 0.3 * draw.share("call"),
          .judge = 0.4 * draw.share("judge"),
          .half = 0.2 * draw.share("half"),
          .process = 0.2 * draw.share("process"),
          .disk = draw.often("full", 0.2) ? 0.1 : 0,
          .jump = draw.often("jumps", 0.3) ? 0.5 : 0};
}

core::LoopOptions loop_of(const Draw& draw) {
  constexpr std::array kSelections{core::Selection::HighestScore, core::Selection::Latest,
                                   core::Selection::FirstSatisfactory,
                                   core::Selection::WeightedRecency, core::Selection::First};
  core::LoopOptions loop;
  loop.stop.attempts = draw.between("attempts", 1, 6);
  if (draw.often("no plateau", 0.5)) loop.stop.when.plateau.reset();
  if (draw.often("no duplicate", 0.3)) loop.stop.when.duplicate.reset();
  if (draw.often("at once", 0.3)) loop.at_once = draw.between("so many", 2, 4);
  loop.reflects_on_last = draw.often("reflects", 0.3);
  if (draw.often("other selection", 0.3)) {
    loop.selection = kSelections[static_cast<std::size_t>(draw.between("selection", 0, 4))];
  }
  return loop;
}

}  // namespace

Scenario scenario_of(std::uint64_t seed) {
  const Draw draw(seed);
  Scenario scenario;
  scenario.seed = seed;
  scenario.task.name = "simulated";
  scenario.task.prompt = "Add the numbers, with the key ";
  scenario.task.prompt += kSecret;
  scenario.loop = loop_of(draw);
  scenario.budget = budget_of(draw);
  scenario.faults = faults_of(draw);
  scenario.has_command = draw.often("command", 0.5);
  for (int i = draw.between("kills", 0, 4); i > 0; --i) {
    const std::string name = "kill " + std::to_string(i);
    scenario.kills.push_back(static_cast<std::uint64_t>(draw.between(name, 0, 40)));
  }
  return scenario;
}

}  // namespace hone::simulation
