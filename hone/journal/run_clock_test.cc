// What time it is for a run that was interrupted: decisions are those that were made then.
#include <gtest/gtest.h>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr const char* kRun = "01jd0000000run01";

class SetClock final : public Clock {
 public:
  Instant now() override { return time; }
  async<void> sleep_until(Instant) override { co_return; }

  Instant time;
};

class RunClockTest : public StoreTest {
 protected:
  RunClockTest() { live_.time = started_; }

  RecordedRun recorded() { return RunStore(path()).recorded(kRun); }
  void answer(Recording& recording, const std::string& at) {
    Effect effect{.path = at, .request = "{}"};
    if (recording.find_answer(effect) != nullptr) return;
    live_.time += milliseconds(100);
    recording.answered(std::move(effect), "{}", false, live_.time);
  }
  // How much of the run's time has passed.
  Duration passed(const Recording& recording, Duration paused) {
    RunClock clock(recording, live_);
    return clock.now() - started_ - paused;
  }

  const Instant started_ = header_of(kRun).started;
  SetClock live_;
};

TEST_F(RunClockTest, InterruptionsTakeNoneOfItsTimeInALaterLifeOrAReplay) {
  {
    Journal journal({.path = path()});
    const auto first = Recording::record(journal, header_of(kRun));
    answer(*first, "a");
    EXPECT_EQ(passed(*first, {}), milliseconds(100));
    answer(*first, "b");
  }
  live_.time += minutes(5);
  {
    Journal journal({.path = path()});
    const auto second = Recording::resume(journal, recorded(), this_process(), live_.time);
    EXPECT_TRUE(second->is_past());
    EXPECT_EQ(passed(*second, minutes(5)), milliseconds(0));
    answer(*second, "a");
    EXPECT_EQ(passed(*second, minutes(5)), milliseconds(100));
    answer(*second, "b");
    answer(*second, "c");
    EXPECT_FALSE(second->is_past());
    EXPECT_EQ(passed(*second, minutes(5)), milliseconds(300));
  }
  live_.time += minutes(7);
  {
    Journal journal({.path = path()});
    const auto third = Recording::resume(journal, recorded(), this_process(), live_.time);
    for (const char* path : {"a", "b", "c"}) answer(*third, path);
    EXPECT_EQ(passed(*third, minutes(12)), milliseconds(300));
    answer(*third, "d");
  }
  const RecordedRun whole = recorded();
  EXPECT_EQ(whole.paused, minutes(12));
  const auto replay = Recording::replay(whole);
  ReplayClock clock(*replay);
  EXPECT_EQ(clock.now() - started_ - whole.paused, milliseconds(0));
  Duration expected{};
  for (const char* path : {"a", "b", "c", "d"}) {
    answer(*replay, path);
    EXPECT_EQ(clock.now() - started_ - whole.paused, expected += milliseconds(100)) << path;
  }
}

}  // namespace
}  // namespace hone::journal
