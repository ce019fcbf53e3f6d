// Recorded runs of a programming loop, and what becomes of their outputs in our loop.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hone/async/async.h"
#include "hone/core/code.h"
#include "hone/core/effects.h"
#include "hone/core/loop.h"

namespace hone::app {

struct RecordedAttempt {
  std::string implementation;
  std::optional<std::string> feedback;  // The text that the model was shown.
  std::string reflection;
};
struct RecordedTask {
  std::string name;
  std::string prompt;
  std::vector<std::string> tests;  // Those that the model wrote itself.
  std::vector<RecordedAttempt> attempts;
  std::string real_test;
  std::optional<bool> solved;  // What the record says of the last attempt.
};

// One task a line; only attempts and hidden_test must be there. An implementation in a fence is
// what stands in it. Throws InvalidInput as "FILE:LINE: …".
std::vector<RecordedTask> read_recorded(const std::string& text, const std::string& file);

// How many of how many.
struct Equal {
  int equal = 0;
  int all = 0;

  void add(bool is_equal) {
    equal += is_equal ? 1 : 0;
    ++all;
  }
  Equal& operator+=(const Equal& other);
};
struct Faithfulness {
  Equal feedback;  // Texts, byte for byte.
  Equal flows;     // Tasks that stop at the same attempt.
  Equal verdicts;  // Tasks whose last attempt the real test judges alike.

  Faithfulness& operator+=(const Faithfulness& other);
};

struct PolicyCount {
  std::string name;
  int solved = 0;
  int attempts = 0;
  int retries_returned = 0;  // The returned output is not the first one.
  int retries_right = 0;     // Of these, the real test passes.
};

// A way to stop and to choose.
struct RecordedPolicy {
  std::string name;
  core::LoopOptions options;
};
// first, last, best, best_plateau and default.
std::vector<RecordedPolicy> recorded_policies();

// Feeds recorded outputs through the loop and runs their tests. Threads: one loop's; what it refers
// to outlives it.
class RecordedRuns {
 public:
  RecordedRuns(const std::vector<RecordedTask>& tasks, core::CodeRunner& code,
               core::Runner& processes);

  // All tasks in order, in one namespace, as the recorded harness ran them.
  async<void> play_faithfully(Faithfulness& result);
  // Every test on its own, `at_once` tasks at a time.
  async<void> play_isolated(Faithfulness& result, std::size_t at_once);
  // The same with every policy; by task, then by policy.
  async<void> play_policies(std::vector<std::vector<PolicyCount>>& results, std::size_t at_once);

 private:
  class Evaluated;

  async<void> play_task(Faithfulness& result, const RecordedTask& task, std::string shared);
  async<void> play_policies_of(std::vector<PolicyCount>& counts, const RecordedTask& task);
  async<bool> passes_real_test(const RecordedTask& task, std::string code, std::string shared);

  const std::vector<RecordedTask>& tasks_;
  core::CodeRunner& code_;
  core::Runner& processes_;
  int most_attempts_ = 0;  // Of any task.
};

}  // namespace hone::app
