// hone_simulation --seeds A..B: the whole engine under a simulator, one run a seed, each with
// faults and kills of its own. A seed that breaks an invariant is printed with the command that
// shows it.
#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "hone/base/error.h"
#include "hone/core/json_form.h"
#include "tests/simulation/everywhere.h"
#include "tests/simulation/folder.h"
#include "tests/simulation/invariants.h"

namespace hone::simulation {
namespace {

struct Totals {
  int seeds = 0;
  int failed = 0;
  int lives = 0;
  int attempts = 0;
  int compared = 0;
};

// Where models, processes and the disk do as they should, kills change nothing.
bool is_comparable(const Scenario& scenario) {
  const Faults& faults = scenario.faults;
  return faults.call == 0 && faults.disk == 0 && faults.jump == 0 && !scenario.budget.time &&
         scenario.loop.at_once == 1;
}

std::vector<std::string> broken(const Scenario& scenario, Totals& totals) {
  const Folder folder;
  const Outcome outcome = play(scenario, folder.store());
  totals.lives += outcome.lives;
  totals.attempts += static_cast<int>(outcome.run.attempts.size());
  auto found = broken_invariants(scenario, outcome, folder.store());
  if (outcome.lives == 1 || !is_comparable(scenario)) return found;
  const Folder other;
  Scenario undisturbed = scenario;
  undisturbed.kills.clear();
  const auto more = differences(outcome, play(undisturbed, other.store()));
  found.insert(found.end(), more.begin(), more.end());
  ++totals.compared;
  return found;
}

void play_seed(std::uint64_t seed, Totals& totals) {
  std::vector<std::string> found;
  try {
    found = broken(scenario_of(seed), totals);
  } catch (const std::exception& thrown) {
    found = {fmt::format("it throws: {}", thrown.what())};
  }
  ++totals.seeds;
  if (found.empty()) return;
  ++totals.failed;
  for (const std::string& what : found) fmt::print("seed {}: {}\n", seed, what);
  fmt::print("seed {}: hone_simulation --seeds {}..{}\n", seed, seed, seed);
}

bool read(std::string_view text, std::uint64_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

std::optional<Range> range_in(std::string_view text) {
  const auto dots = text.find("..");
  Range range;
  const bool reads = dots != std::string_view::npos && read(text.substr(0, dots), range.first) &&
                     read(text.substr(dots + 2), range.last) && range.first <= range.last;
  return reads ? std::optional(range) : std::nullopt;
}

int play_seeds(const Range& range) {
  Totals totals;
  for (std::uint64_t seed = range.first; seed <= range.last; ++seed) play_seed(seed, totals);
  fmt::print("{} seeds, {} lives, {} attempts, {} compared with undisturbed runs, {} failed\n",
             totals.seeds, totals.lives, totals.attempts, totals.compared, totals.failed);
  return totals.failed == 0 ? 0 : 1;
}

int fail_seeds(const Range& range) {
  int failed = 0;
  for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
    failed += fail_everywhere(seed);
  }
  fmt::print("a fault at every write and every call of seeds {}..{}: {} failed\n", range.first,
             range.last, failed);
  return failed == 0 ? 0 : 1;
}

int break_judges_of(const Range& range) {
  const BrokenJudges counts = break_judges(range.first, range.last);
  fmt::print(
      "{} runs with a fifth of the judges' replies broken: {} return another attempt, {} one "
      "that did not pass\n",
      counts.runs, counts.changed, counts.lost);
  return counts.changed * 100 < counts.runs && counts.lost == 0 ? 0 : 1;
}

int run(std::string_view what, std::string_view range_text) {
  const auto range = range_in(range_text);
  if (range && what == "--seeds") return play_seeds(*range);
  if (range && what == "--everywhere") return fail_seeds(*range);
  if (range && what == "--broken-judges") return break_judges_of(*range);
  fmt::print(stderr, "hone_simulation --seeds|--everywhere|--broken-judges A..B\n");
  return 2;
}

}  // namespace
}  // namespace hone::simulation

int main(int count, char** arguments) {
  const bool asked = count == 3;
  return hone::simulation::run(asked ? arguments[1] : "", asked ? arguments[2] : "");
}
