// hone bench: recorded runs through the real loop.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/data_file.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/flags.h"
#include "apps/hone/recorded.h"
#include "hone/async/run_sync.h"
#include "hone/evaluate/system_runner.h"
#include "hone/sandbox/sandbox.h"

namespace hone::app {
namespace {

struct Results {
  int tasks = 0;
  Faithfulness faithful;
  Faithfulness isolated;
  // Of all tasks, of those with odd and of those with even places in the file.
  std::vector<PolicyCount> policies;
  std::vector<PolicyCount> odd;
  std::vector<PolicyCount> even;
};

async<void> play(RecordedRuns& runs, Results& results, std::size_t at_once,
                 std::vector<std::vector<PolicyCount>>& by_task) {
  co_await runs.play_faithfully(results.faithful);
  co_await runs.play_isolated(results.isolated, at_once);
  co_await runs.play_policies(by_task, at_once);
}

void add(std::vector<PolicyCount>& sums, const std::vector<PolicyCount>& counts) {
  sums.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sums[i].name = counts[i].name;
    sums[i].solved += counts[i].solved;
    sums[i].attempts += counts[i].attempts;
    sums[i].retries_returned += counts[i].retries_returned;
    sums[i].retries_right += counts[i].retries_right;
  }
}

Results results_of(const std::vector<RecordedTask>& tasks, const Flags& flags) {
  sandbox::Sandbox sandbox({.weak = flags.sandbox == "weak"});
  evaluate::SystemRunner processes;
  RecordedRuns runs(tasks, sandbox, processes);
  Results results;
  results.tasks = static_cast<int>(tasks.size());
  std::vector<std::vector<PolicyCount>> by_task;
  const auto at_once = static_cast<std::size_t>(flags.jobs.value_or(4));
  EventLoop loop;
  loop.cancel_on_signals();
  loop.run([&] { return play(runs, results, at_once, by_task); });
  for (std::size_t i = 0; i < by_task.size(); ++i) {
    add(results.policies, by_task[i]);
    add(i % 2 == 0 ? results.odd : results.even, by_task[i]);
  }
  return results;
}

Json to_json(const Faithfulness& mode) {
  return {{"feedback", {mode.feedback.equal, mode.feedback.all}},
          {"flows", {mode.flows.equal, mode.flows.all}},
          {"verdicts", {mode.verdicts.equal, mode.verdicts.all}}};
}

Json to_json(const std::vector<PolicyCount>& policies) {
  Json rows = Json::array();
  for (const PolicyCount& policy : policies) {
    rows.push_back({{"name", policy.name},
                    {"solved", policy.solved},
                    {"attempts", policy.attempts},
                    {"retries_returned", policy.retries_returned},
                    {"retries_right", policy.retries_right}});
  }
  return rows;
}

void print_mode(const char* name, const Faithfulness& mode) {
  const auto share = [](const Equal& equal) {
    return fmt::format("{}/{}", equal.equal, equal.all);
  };
  fmt::print("{:<14}{:>12}{:>12}{:>12}\n", name, share(mode.feedback), share(mode.flows),
             share(mode.verdicts));
}

void print_policies(const char* which, const std::vector<PolicyCount>& policies) {
  fmt::print("\n{:<14}{:>12}{:>12}{:>12}{:>12}\n", which, "solved", "attempts", "retries", "right");
  for (const PolicyCount& policy : policies) {
    fmt::print("{:<14}{:>12}{:>12}{:>12}{:>12}\n", policy.name, policy.solved, policy.attempts,
               policy.retries_returned, policy.retries_right);
  }
}

void print(const Results& results) {
  fmt::print("{:<14}{:>12}{:>12}{:>12}\n", fmt::format("{} tasks", results.tasks), "feedback",
             "flows", "verdicts");
  print_mode("faithful", results.faithful);
  print_mode("isolated", results.isolated);
  print_policies("all", results.policies);
  print_policies("odd places", results.odd);
  print_policies("even places", results.even);
}

int bench_recorded(const std::string& file, const Flags& flags) {
  const auto tasks = read_recorded(read_file_or_stdin(file, "FILE"), file);
  const Results results = results_of(tasks, flags);
  if (flags.json) {
    const Json json = {
        {"tasks", results.tasks},
        {"faithful", to_json(results.faithful)},
        {"isolated", to_json(results.isolated)},
        {"policies", to_json(results.policies)},
        {"halves", {{"odd", to_json(results.odd)}, {"even", to_json(results.even)}}}};
    fmt::print("{}\n", json.dump());
  } else {
    print(results);
  }
  return kDone;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("bench", "Measure on many tasks");
  command->require_subcommand(1);
  CLI::App* recorded = command->add_subcommand(
      "recorded", "Recorded runs through the real loop: what it would have made of them");
  recorded->footer("Example:\n  hone bench recorded --help");
  const auto flags = std::make_shared<Flags>();
  const auto file = std::make_shared<std::string>();
  recorded->add_option("FILE", *file, "Recorded runs, one task a line; - reads stdin")->required();
  recorded->add_option("-j,--jobs", flags->jobs, "Tasks at once (default 4)")
      ->check(CLI::Range(1, 1024));
  recorded
      ->add_option("--sandbox", flags->sandbox,
                   "strict (default), or weak: run code even where the system lacks protection")
      ->check(CLI::IsMember({"strict", "weak"}));
  recorded->add_flag("--json", flags->json, "Print JSON");
  recorded->callback([=, &chosen] { chosen = [=] { return bench_recorded(*file, *flags); }; });
}

}  // namespace hone::app
