#include "apps/hone/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/hone/scene.h"
#include "hone/async/group.h"
#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/evaluate/tests_check.h"

namespace hone::app {
namespace {

using std::chrono::seconds;

// As the recorded harness had them.
constexpr seconds kTestTime{5};
constexpr seconds kRealTestTime{10};
constexpr std::string_view kNamespace = "recorded";

evaluate::TestsOptions tests_of(const RecordedTask& task, std::string shared) {
  evaluate::TestsOptions options;
  options.tests = task.tests;
  options.limits.timeout = kTestTime;
  options.code_only = true;
  options.shared = std::move(shared);
  return options;
}

core::Output output_of(const RecordedTask& task, const core::Run& run) {
  const auto next = static_cast<std::size_t>(run.next_number() - 1);
  if (next < task.attempts.size()) return {.text = task.attempts[next].implementation};
  throw Error(ErrorKind::NotFound, "the record has no more attempts");
}

core::Reflection reflection_of(const RecordedTask& task, const core::Run& run) {
  return {.text = task.attempts[run.attempts.size() - 1].reflection};
}

std::string feedback_of(const core::Attempt& attempt) {
  return attempt.evaluation.issues.empty() ? "" : attempt.evaluation.issues.front().message;
}

core::LoopOptions until_passed(int attempts) {
  core::LoopOptions options;
  options.stop.attempts = attempts;
  options.stop.when = {};
  options.selection = core::Selection::Latest;
  return options;
}

// Stops where no later attempt could be returned.
std::optional<core::Stop> first_stands(const core::Run& run) {
  if (core::may_be_corrected(run)) return std::nullopt;
  return core::Stop{core::StopReason::Stable, "no later attempt would be returned"};
}

}  // namespace

// The tests of one task: code that was tested before is not run again.
class RecordedRuns::Evaluated final : public core::Evaluator {
 public:
  Evaluated(const RecordedTask& task, std::string shared, RecordedRuns& runs) {
    if (!task.tests.empty()) {
      check_.emplace(tests_of(task, std::move(shared)), runs.code_, runs.processes_);
    }
  }

  async<core::Evaluation> evaluate(core::Context context, const core::Run& run,
                                   const core::Output& output) override {
    const auto known = known_.find(output.text);
    if (known != known_.end()) co_return known->second;
    core::Evaluation evaluation = core::passed();
    if (check_) evaluation = co_await check_->evaluate(std::move(context), run, output);
    known_[output.text] = evaluation;
    co_return evaluation;
  }

 private:
  std::optional<evaluate::TestsCheck> check_;
  std::map<std::string, core::Evaluation> known_;
};

Equal& Equal::operator+=(const Equal& other) {
  equal += other.equal;
  all += other.all;
  return *this;
}

Faithfulness& Faithfulness::operator+=(const Faithfulness& other) {
  feedback += other.feedback;
  flows += other.flows;
  verdicts += other.verdicts;
  return *this;
}

std::vector<RecordedPolicy> recorded_policies() {
  constexpr int kMost = 1000;  // The record ends first.
  core::LoopOptions first = until_passed(1);
  core::LoopOptions best = until_passed(kMost);
  best.selection = core::Selection::HighestScore;
  core::LoopOptions plateau = best;
  plateau.stop.when.plateau = core::PlateauRule{};
  core::LoopOptions corrected = until_passed(kMost);
  corrected.selection = core::Selection::FirstUnlessCorrected;
  corrected.own_stop_rules = {first_stands};
  return {{"first", first},
          {"last", until_passed(kMost)},
          {"best", best},
          {"best_plateau", plateau},
          {"default", corrected}};
}

RecordedRuns::RecordedRuns(const std::vector<RecordedTask>& tasks, core::CodeRunner& code,
                           core::Runner& processes)
    : tasks_(tasks), code_(code), processes_(processes) {
  for (const RecordedTask& task : tasks) {
    most_attempts_ = std::max(most_attempts_, static_cast<int>(task.attempts.size()));
  }
}

namespace {

async<core::Run> run_of(const RecordedTask& task, core::Evaluator& evaluator,
                        core::LoopOptions options) {
  core::FunctionGenerator generator([&](const core::Run& run) { return output_of(task, run); });
  core::FunctionReviser reviser([&](const core::Run& run) { return output_of(task, run); });
  core::FunctionReflector reflector([&](const core::Run& run) { return reflection_of(task, run); });
  core::NoMemory memory;
  core::NoEvents nobody;
  Scene scene(core::Budget{}, 0);
  const core::Context context = scene.context(task.name, nobody);
  core::Task words;
  words.name = task.name;
  words.prompt = task.prompt;
  const core::Roles roles{generator, evaluator, reflector, reviser, memory};
  core::Run run = co_await core::reflect(context, std::move(words), roles, std::move(options));
  if (!run.attempts.empty()) co_return run;
  throw Error(ErrorKind::Unavailable,
              fmt::format("task `{}`: {}", task.name, run.stop ? run.stop->detail : "no attempt"),
              "see `hone doctor`");
}

}  // namespace

async<bool> RecordedRuns::passes_real_test(const RecordedTask& task, std::string code,
                                           std::string shared) {
  core::CodeRequest request;
  request.use = core::CodeUse::Test;
  request.code = std::move(code);
  request.test = task.real_test;
  request.limits.timeout = kRealTestTime;
  request.shared = std::move(shared);
  core::Context context;
  const core::CodeResult result = co_await code_.run(context, request);
  co_return result.end == core::CodeEnd::Returned;
}

async<void> RecordedRuns::play_task(Faithfulness& result, const RecordedTask& task,
                                    std::string shared) {
  Evaluated evaluator(task, shared, *this);
  const core::Run run = co_await run_of(task, evaluator, until_passed(most_attempts_));
  const std::size_t made = run.attempts.size();
  for (std::size_t i = 0; i < task.attempts.size(); ++i) {
    const auto& recorded = task.attempts[i].feedback;
    if (!recorded) continue;
    result.feedback.add(i < made && feedback_of(run.attempts[i]) == *recorded);
  }
  const bool ended = run.stop && run.stop->reason != core::StopReason::Error;
  result.flows.add(ended && made == task.attempts.size());
  std::string last = run.attempts.back().output.text;
  const bool solved = co_await passes_real_test(task, std::move(last), std::move(shared));
  if (task.solved) result.verdicts.add(solved == *task.solved);
}

async<void> RecordedRuns::play_faithfully(Faithfulness& result) {
  for (const RecordedTask& task : tasks_) {
    co_await play_task(result, task, std::string(kNamespace));
  }
}

async<void> RecordedRuns::play_isolated(Faithfulness& result, std::size_t at_once) {
  std::vector<Faithfulness> parts(tasks_.size());
  const auto start = [&](std::size_t index) {
    return play_task(parts[index], tasks_[index], std::string());
  };
  co_await for_each_index(tasks_.size(), at_once, start);
  for (const Faithfulness& part : parts) result += part;
}

async<void> RecordedRuns::play_policies_of(std::vector<PolicyCount>& counts,
                                           const RecordedTask& task) {
  Evaluated evaluator(task, "", *this);
  std::map<std::string, bool> real;
  std::vector<RecordedPolicy> policies = recorded_policies();
  for (RecordedPolicy& policy : policies) {
    const auto recorded = static_cast<int>(task.attempts.size());
    policy.options.stop.attempts = std::min(policy.options.stop.attempts, recorded);
    const core::Run run = co_await run_of(task, evaluator, policy.options);
    const std::string& returned = run.find_selected()->output.text;
    if (!real.contains(returned)) {
      const bool passes = co_await passes_real_test(task, returned, "");
      real[returned] = passes;
    }
    const bool solved = real[returned];
    const bool is_retry = returned != run.attempts.front().output.text;
    counts.push_back({.name = policy.name,
                      .solved = solved ? 1 : 0,
                      .attempts = static_cast<int>(run.attempts.size()),
                      .retries_returned = is_retry ? 1 : 0,
                      .retries_right = is_retry && solved ? 1 : 0});
  }
}

async<void> RecordedRuns::play_policies(std::vector<std::vector<PolicyCount>>& results,
                                        std::size_t at_once) {
  results.resize(tasks_.size());
  const auto start = [&](std::size_t index) {
    return play_policies_of(results[index], tasks_[index]);
  };
  co_await for_each_index(tasks_.size(), at_once, start);
}

}  // namespace hone::app
