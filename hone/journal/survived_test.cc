#include "hone/journal/survived.h"

#include <gtest/gtest.h>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

using Survived = std::unordered_set<std::size_t>;

// Effects by path, failed ones with a "!" in front; events are the numbers of attempts that began
// (positive) and were evaluated (negative), in order.
RecordedRun run_of(const std::vector<std::string>& effects, const std::vector<int>& events) {
  RecordedRun run;
  for (const std::string& effect : effects) {
    Record record;
    record.kind = Kind::Model;
    record.failed = effect.front() == '!';
    record.path = effect.substr(record.failed ? 1 : 0);
    run.effects.push_back(record);
  }
  for (const int number : events) {
    core::Attempt attempt;
    attempt.number = -number;
    const core::Event event = number > 0 ? core::Event(core::AttemptStarted{number})
                                         : core::Event(core::Evaluated{attempt});
    run.events.push_back({core::journal_text(event), Instant()});
  }
  return run;
}

TEST(SurvivedFailures, AreThoseThatTheRunWentOnAfter) {
  struct Case {
    std::vector<std::string> effects;
    std::vector<int> events;
    Survived survived;
  };
  const Case cases[] = {
      {{"attempt/1/generate", "!attempt/1/evaluate"}, {1, -1}, {}},
      {{"attempt/1/generate", "!attempt/1/evaluate", "attempt/1/reflect"}, {1, -1}, {1}},
      {{"!attempt/1/reflect", "attempt/2/revise", "!attempt/2/evaluate"}, {1, -1, 2}, {0}},
      // A round: neither came after the other.
      {{"!attempt/1/generate", "attempt/2/generate"}, {1, 2, -1, -2}, {}},
      {{"!attempt/1/evaluate", "attempt/2/generate", "attempt/3/revise"}, {1, 2, -1, -2, 3}, {0}},
      // The same call, made again.
      {{"!attempt/1/generate", "attempt/1/generate"}, {1}, {}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(survived_failures(run_of(c.effects, c.events)), c.survived) << c.effects.front();
  }
}

class SurvivedTest : public StoreTest {};

// The judge of the first attempt fails, and the run goes on; it is killed at the second reflection.
TEST_F(SurvivedTest, AResumedRunGetsTheFailureAgainThatItWentOnAfter) {
  const std::string run = "01jd0000000run01";
  const auto moody = [](int& judged, bool dies) {
    return [&judged, dies](const core::ModelRequest& request) {
      const bool first = request.role == core::Role::Evaluate && request.attempt == 1;
      if (first && judged++ == 0) throw Error(ErrorKind::Unavailable, "no answer");
      if (dies && request.role == core::Role::Reflect && request.attempt == 2) {
        throw Error(ErrorKind::InvalidInput, "this ends the run");
      }
      return scripted_reply(request);
    };
  };
  int judged = 0;
  core::Run first;
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(run));
    FakeModel model(moody(judged, true));
    first = run_recorded(*recording, model);
  }
  ASSERT_EQ(first.stop->reason, core::StopReason::Error);
  ASSERT_EQ(first.attempts.front().evaluation.outcome, core::Outcome::Unknown);
  Journal journal({.path = path()});
  const auto recording = Recording::resume(journal, RunStore(path()).recorded(run), this_process());
  FakeModel model(moody(judged, false));
  const core::Run resumed = run_recorded(*recording, model);
  EXPECT_EQ(resumed.stop->reason, core::StopReason::Passed) << resumed.stop->detail;
  EXPECT_EQ(resumed.attempts.front().evaluation, first.attempts.front().evaluation);
  EXPECT_EQ(judged, 1);
}

}  // namespace
}  // namespace hone::journal
