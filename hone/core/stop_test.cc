#include "hone/core/stop.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"

namespace hone::core {
namespace {

struct Case {
  std::string_view name;
  std::vector<double> scores;  // Negative: unknown.
  StopRules rules;
  std::optional<StopReason> expected;
};

Run run_of(const std::vector<double>& scores) {
  core::Run run;
  for (const double score : scores) {
    Attempt attempt;
    attempt.number = run.next_number();
    attempt.evaluation = score < 0      ? unknown("?")
                         : score >= 0.9 ? passed(Score(score))
                                        : failed(Score(score), {});
    run.attempts.push_back(attempt);
  }
  return run;
}

const Case kCases[] = {
    {"goes on below the limit", {0.1}, {}, std::nullopt},
    {"stops at the limit", {0.1, 0.3, 0.5}, {}, StopReason::MaxAttempts},
    {"an accepted attempt comes before every other reason",
     {0.1, 0.3, 0.95},
     {},
     StopReason::Passed},
    {"two attempts without a gain", {0.5, 0.5, 0.52}, {.attempts = 9}, StopReason::Plateau},
    {"a gain of exactly the least one counts", {0.5, 0.55, 0.6}, {.attempts = 9}, std::nullopt},
    {"gains count against the best, not the last",
     {0.5, 0.2, 0.4},
     {.attempts = 9},
     StopReason::Plateau},
    {"small steps do not add up", {0.50, 0.53, 0.56}, {.attempts = 9}, StopReason::Plateau},
    {"an unknown is no gain", {0.5, -1, -1}, {.attempts = 9}, StopReason::Plateau},
    {"unknowns alone are no plateau", {-1, -1, -1}, {.attempts = 9}, std::nullopt},
    {"a rule can be switched off", {0.5, 0.5, 0.5}, {.attempts = 9, .when = {}}, std::nullopt},
};

TEST(StopRules, DecideByTheAttemptsAlone) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const Ledger ledger;
    const auto stop = c.rules.decide(run_of(c.scores), ledger, std::nullopt);
    EXPECT_EQ(stop ? std::optional(stop->reason) : std::nullopt, c.expected);
  }
}

TEST(StopRules, CountRepeatsInARow) {
  core::Run run = run_of({0.1, 0.1, 0.2, 0.1});
  run.attempts[1].duplicate_of = 1;
  const StopRules rules{.attempts = 9, .when = {.duplicate = 2}};
  const Ledger ledger;
  EXPECT_FALSE(rules.decide(run, ledger, std::nullopt));
  run.attempts[3].duplicate_of = 1;
  EXPECT_FALSE(rules.decide(run, ledger, std::nullopt));
  run.attempts[2].duplicate_of = 1;
  EXPECT_EQ(rules.decide(run, ledger, std::nullopt)->reason, StopReason::Duplicate);
  const StopRules at_once{.attempts = 9, .when = {.duplicate = 1}};
  run.attempts.resize(2);
  EXPECT_EQ(at_once.decide(run, ledger, std::nullopt)->detail, "attempt 2 repeats attempt 1");
}

TEST(StopRules, AnEmptyBudgetStopsBeforeTheNextCall) {
  Budget budget;
  budget.tokens = Tokens{10};
  Ledger ledger(budget);
  EXPECT_FALSE(StopRules().decide(run_of({0.1}), ledger, std::nullopt));
  ledger.settle(Role::Generate, Usage{.calls = 1, .output = {10}});
  EXPECT_EQ(StopRules().decide(run_of({0.1}), ledger, std::nullopt)->reason, StopReason::Budget);
}

TEST(StopFor, NamesTheReasonOfAFailure) {
  SystemClock clock;
  Context context;
  context.clock = &clock;
  const auto reason = [&](ErrorKind kind) {
    return stop_for(std::make_exception_ptr(Error(kind, "what")), context).reason;
  };
  EXPECT_EQ(reason(ErrorKind::BudgetExhausted), StopReason::Budget);
  EXPECT_EQ(reason(ErrorKind::DeadlineExceeded), StopReason::Error);
  context.deadline = clock.now();
  EXPECT_EQ(reason(ErrorKind::DeadlineExceeded), StopReason::Deadline);
  EXPECT_EQ(reason(ErrorKind::Cancelled), StopReason::Cancelled);
  EXPECT_EQ(reason(ErrorKind::Refused), StopReason::Error);
}

}  // namespace
}  // namespace hone::core
