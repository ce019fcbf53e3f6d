#include "tests/simulation/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hone/base/redact.h"
#include "hone/core/json_form.h"
#include "hone/core/selection.h"

namespace hone::simulation {
namespace {

using core::Attempt;
using core::Outcome::Passed;
using core::Outcome::Unknown;

class Checking {
 public:
  void that(bool holds, const std::string& otherwise) {
    if (!holds) broken_.push_back(otherwise);
  }
  std::vector<std::string> take() { return std::move(broken_); }

 private:
  std::vector<std::string> broken_;
};

// Passed beats unknown beats failed; then the score.
bool is_better(const core::Evaluation& left, const core::Evaluation& right) {
  const auto rank = [](core::Outcome outcome) {
    return outcome == Passed ? 2 : outcome == Unknown ? 1 : 0;
  };
  if (left.outcome != right.outcome) return rank(left.outcome) > rank(right.outcome);
  const double scores[] = {left.score ? left.score->value() : -1,
                           right.score ? right.score->value() : -1};
  return scores[0] > scores[1];
}

// 1 and 2: what is returned was evaluated, and nothing is better.
void check_returned(Checking& check, const Scenario& scenario, const core::Run& run) {
  check.that(run.stop.has_value(), "the run ended without a reason");
  check.that(run.selected.has_value() == !run.attempts.empty(), "nothing, or nobody, was selected");
  if (!run.selected) return;
  const Attempt* selected = run.find_selected();
  check.that(selected != nullptr, "the selected attempt is not there");
  if (selected == nullptr || scenario.loop.selection != core::Selection::HighestScore) return;
  for (const Attempt& attempt : run.attempts) {
    // An attempt that was broken off has no output: any other comes before it.
    if (attempt.output.finish == core::Finish::Interrupted) continue;
    check.that(!is_better(attempt.evaluation, selected->evaluation),
               fmt::format("attempt {} is better than {}, which is returned", attempt.number,
                           selected->number));
  }
}

// 3: a revision starts from the best of the attempts before its round.
void check_parents(Checking& check, const Scenario& scenario, const core::Run& run) {
  for (const Attempt& attempt : run.attempts) {
    const int first = attempt.number - (attempt.number - 1) % scenario.loop.at_once;
    if (first == 1) {
      check.that(!attempt.parent, fmt::format("attempt {} has a parent", attempt.number));
      continue;
    }
    check.that(attempt.parent && *attempt.parent < first,
               fmt::format("attempt {} comes from a later one", attempt.number));
  }
}

// 4 and 5: no score for what nobody could tell; a repeat carries what its original got.
void check_verdicts(Checking& check, const core::Run& run) {
  for (const Attempt& attempt : run.attempts) {
    const core::Evaluation& evaluation = attempt.evaluation;
    const std::string who = fmt::format("attempt {}", attempt.number);
    check.that((evaluation.outcome == Unknown) != evaluation.score.has_value() ||
                   !evaluation.checks.empty(),
               who + " is unknown with a score, or known without");
    const double quality = quality_in(attempt.output.text);
    if (evaluation.outcome == Passed) {
      check.that(quality >= 0.8, who + " passed and is not good");
      check.that(attempt.output.finish == core::Finish::Complete, who + " passed and is half");
    }
    if (evaluation.outcome == core::Outcome::Failed && evaluation.error == std::nullopt) {
      check.that(quality < 0.8, who + " failed and is good");
    }
    if (!attempt.duplicate_of) continue;
    const Attempt& original = run.attempt(*attempt.duplicate_of);
    check.that(original.output.text == attempt.output.text, who + " repeats nothing");
    check.that(original.evaluation.outcome == evaluation.outcome,
               who + " repeats an attempt with another verdict");
  }
}

// 5 and 6: it ends, within its budget but for one call.
void check_budget(Checking& check, const Scenario& scenario, const core::Run& run) {
  const core::Usage spent = run.usage.total();
  const core::Budget& budget = scenario.budget;
  constexpr std::int64_t kOneCall = 4000;  // A prompt and the least answer.
  // A call of three tries, two of which broke off half way, counts three.
  const auto attempts = static_cast<int>(run.attempts.size());
  check.that(attempts <= scenario.loop.stop.attempts, "there are too many attempts");
  if (budget.tokens) {
    check.that(spent.total().count <= budget.tokens->count + kOneCall,
               fmt::format("{} of {} tokens", spent.total().count, budget.tokens->count));
  }
  if (budget.usd && spent.usd) {
    check.that(spent.usd->amount <= budget.usd->amount + 1e-6 * kOneCall,
               fmt::format("{} of {} dollars", spent.usd->amount, budget.usd->amount));
  }
  if (budget.calls) {
    check.that(spent.calls <= *budget.calls + 2 * scenario.loop.at_once,
               fmt::format("{} of {} calls", spent.calls, *budget.calls));
  }
}

// 10: no secret is on the disk in the clear.
void check_secrets(Checking& check, const std::string& path) {
  const std::filesystem::path store(path);
  for (const auto& file : std::filesystem::directory_iterator(store.parent_path())) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    check.that(bytes.find(kSecret) == std::string::npos,
               fmt::format("{} holds a secret", file.path().filename().string()));
  }
}

// 11: what models write stays where outputs stand.
void check_keys(Checking& check, const Outcome& outcome) {
  const Json json = parse_json(outcome.result);
  check.that(json.at("run") == kRun, "an output took the place of the id");
  check.that(json.at("attempts").size() == outcome.run.attempts.size(), "attempts were added");
}

void check_replay(Checking& check, const Scenario& scenario, const Outcome& outcome,
                  const std::string& path) {
  try {
    const std::string again = replayed(scenario, path);
    check.that(again == outcome.result,
               fmt::format("a replay gives other bytes:\n{}\n{}", outcome.result, again));
  } catch (const Error& error) {
    check.that(false, "a replay fails: " + error.message());
  }
}

}  // namespace

std::vector<std::string> broken_invariants(const Scenario& scenario, const Outcome& outcome,
                                           const std::string& path) {
  Checking check;
  check_returned(check, scenario, outcome.run);
  check_parents(check, scenario, outcome.run);
  check_verdicts(check, outcome.run);
  check_budget(check, scenario, outcome.run);
  // 7: what was answered and on the disk is never asked for again.
  for (const std::string& call : outcome.asked_again) {
    check.that(false, fmt::format("the call at {} was answered and made again", call));
  }
  check_replay(check, scenario, outcome, path);
  check_secrets(check, path);
  check_keys(check, outcome);
  return check.take();
}

std::vector<std::string> differences(const Outcome& outcome, const Outcome& undisturbed) {
  Checking check;
  const core::Run& run = outcome.run;
  const core::Run& other = undisturbed.run;
  check.that(run.attempts.size() == other.attempts.size(), "another number of attempts");
  for (std::size_t i = 0; i < std::min(run.attempts.size(), other.attempts.size()); ++i) {
    const std::string who = fmt::format("attempt {}", i + 1);
    check.that(run.attempts[i].output == other.attempts[i].output, who + " has another output");
    check.that(run.attempts[i].evaluation == other.attempts[i].evaluation,
               who + " has another verdict");
    check.that(run.attempts[i].reflection == other.attempts[i].reflection,
               who + " has another reflection");
    check.that(run.attempts[i].usage == other.attempts[i].usage, who + " cost something else");
  }
  check.that(run.selected == other.selected, "another attempt is returned");
  check.that(run.stop == other.stop, "it stopped for another reason");
  check.that(run.usage == other.usage, "it cost something else");
  return check.take();
}

}  // namespace hone::simulation
