// Attempts made at once, recorded and replayed.
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

using Place = std::pair<core::Role, int>;

// Answers by rule, but at some places waits until it is cancelled.
class HangingModel final : public core::Model {
 public:
  explicit HangingModel(std::set<Place> hangs) : hangs_(std::move(hangs)) {}

  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    ++calls;
    const bool hangs = hangs_.contains({request.role, request.attempt});
    if (hangs) co_await clock_.sleep_until(clock_.now() + std::chrono::hours(1));
    co_return scripted_reply(request);
  }
  std::string name() const override { return "fake:rules"; }

  int calls = 0;

 private:
  std::set<Place> hangs_;
  SystemClock clock_;
};

class RoundTest : public StoreTest {
 protected:
  core::Run record(core::Model& model) {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(kRun));
    return run_recorded(*recording, model, 3);
  }
  core::Run replay() {
    const auto recording = Recording::replay(RunStore(path()).recorded(kRun));
    AbsentModel absent("fake:rules");
    return run_recorded(*recording, absent, 3);
  }

  static constexpr const char* kRun = "01jd0000000run01";
};

// Attempt 3 passes; where the other two are then.
const std::set<Place> kWhere[] = {
    {},
    {{core::Role::Generate, 1}, {core::Role::Generate, 2}},
    {{core::Role::Generate, 1}, {core::Role::Evaluate, 2}},
    {{core::Role::Evaluate, 1}},
    {{core::Role::Evaluate, 2}},
};

TEST_F(RoundTest, ReplaysToTheSameRunWhereverTheOthersWereCancelled) {
  for (const auto& hangs : kWhere) {
    HangingModel model(hangs);
    const core::Run first = record(model);
    ASSERT_EQ(first.stop->reason, core::StopReason::Passed);
    ASSERT_EQ(first.attempts.size(), 3u);
    EXPECT_EQ(first.selected, 3);
    EXPECT_EQ(replay(), first);
    EXPECT_EQ(RunStore(path()).load(kRun), first);
    std::filesystem::remove_all(path());
    std::filesystem::remove_all(path() + "-wal");
    std::filesystem::remove_all(path() + "-shm");
  }
}

TEST_F(RoundTest, SaysOfTheCancelledThatTheyWere) {
  HangingModel model({{core::Role::Generate, 1}, {core::Role::Evaluate, 2}});
  const core::Run run = record(model);
  for (const int number : {1, 2}) {
    const core::Evaluation& evaluation = run.attempt(number).evaluation;
    EXPECT_EQ(evaluation.outcome, core::Outcome::Unknown);
    EXPECT_EQ(evaluation.error, "cancelled, since attempt 3 passed");
  }
  EXPECT_EQ(run.attempt(1).output.finish, core::Finish::Interrupted);
  EXPECT_EQ(run.attempt(2).output.finish, core::Finish::Complete);
  EXPECT_EQ(run.attempt(2).usage.total().calls, 1);
}

}  // namespace
}  // namespace hone::journal
