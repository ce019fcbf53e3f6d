#include "hone/model/retried.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/net/http_client.h"

namespace hone::model {
namespace {

using namespace std::chrono_literals;

// Stands still but in sleeps, which it jumps over and remembers.
class JumpingClock final : public Clock {
 public:
  Instant now() override { return now_; }
  async<void> sleep_until(Instant until) override {
    sleeps_.push_back(until - now_);
    now_ = until;
    co_return;
  }
  void pass(Duration time) { now_ += time; }
  const std::vector<Duration>& sleeps() const { return sleeps_; }

 private:
  Instant now_{1'000'000s};
  std::vector<Duration> sleeps_;
};

// Always the longest wait, or always none.
class FixedRandom final : public core::Random {
 public:
  explicit FixedRandom(std::uint64_t value) : value_(value) {}
  std::uint64_t next() override { return value_; }

 private:
  std::uint64_t value_;
};

class Listener final : public core::EventSink {
 public:
  Instant emit(const std::string&, const core::Event& event, Instant at) override {
    names_.emplace_back(core::name_of(event));
    return at;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

using Step = std::function<core::ModelReply(const core::Context&)>;

// Does one step after the other.
class SteppedModel final : public core::Model {
 public:
  SteppedModel(std::deque<Step> steps, int* calls) : steps_(std::move(steps)), calls_(calls) {}
  async<core::ModelReply> complete(core::Context context, const core::ModelRequest&) override {
    ++*calls_;
    const Step step = steps_.front();
    if (steps_.size() > 1) steps_.pop_front();
    co_return step(context);
  }
  std::string name() const override { return "stepped"; }

 private:
  std::deque<Step> steps_;
  int* calls_;
};

core::ModelReply good(const core::Context&) {
  core::ModelReply reply;
  reply.text = "done";
  reply.usage = {.calls = 1, .input = {10}, .output = {5}};
  return reply;
}

Step fails(Error error) {
  return [error](const core::Context&) -> core::ModelReply { throw error; };
}

Step fails(ErrorKind kind) { return fails(Error(kind, "broken")); }

class RetriedTest : public testing::Test {
 protected:
  core::ModelReply ask(std::deque<Step> steps) {
    Retried model(std::make_unique<SteppedModel>(std::move(steps), &calls_));
    core::ModelReply reply;
    run_sync([&] { return ask_into(model, &reply); });
    return reply;
  }

  Error failure(std::deque<Step> steps) {
    try {
      ask(std::move(steps));
    } catch (const Error& error) {
      return error;
    }
    return {ErrorKind::Internal, "it succeeded"};
  }

  async<void> ask_into(Retried& model, core::ModelReply* reply) {
    core::Context context;
    context.events = &listener_;
    context.clock = &clock_;
    context.random = random_;
    context.deadline = deadline_;
    *reply = co_await model.complete(context, request_);
  }

  FixedRandom longest_{~std::uint64_t{0}};
  FixedRandom shortest_{0};
  core::Random* random_ = &longest_;
  JumpingClock clock_;
  Listener listener_;
  Deadline deadline_;
  core::ModelRequest request_;
  int calls_ = 0;
};

using Sleeps = std::vector<Duration>;

TEST_F(RetriedTest, AsksAgainWhenTheServerIsUnavailableOrOverloaded) {
  EXPECT_EQ(ask({fails(ErrorKind::Unavailable), fails(ErrorKind::Overloaded), good}).text, "done");
  EXPECT_EQ(calls_, 3);
}

TEST_F(RetriedTest, DoublesTheLongestWait) {
  ask({fails(ErrorKind::Unavailable), fails(ErrorKind::Unavailable), good});
  EXPECT_EQ(clock_.sleeps(), (Sleeps{250ms, 500ms}));
}

TEST_F(RetriedTest, WaitsARandomPartOfIt) {
  random_ = &shortest_;
  ask({fails(ErrorKind::Unavailable), good});
  EXPECT_EQ(clock_.sleeps(), (Sleeps{0ms}));
}

TEST_F(RetriedTest, GivesUpAfterTwoRetries) {
  EXPECT_EQ(failure({fails(ErrorKind::Unavailable)}).kind(), ErrorKind::Unavailable);
  EXPECT_EQ(calls_, 3);
}

TEST_F(RetriedTest, AsksOnceWhereAnotherTryCannotHelp) {
  for (const ErrorKind kind :
       {ErrorKind::InvalidInput, ErrorKind::NotFound, ErrorKind::Refused, ErrorKind::Cancelled,
        ErrorKind::DeadlineExceeded, ErrorKind::Corrupt}) {
    calls_ = 0;
    EXPECT_EQ(failure({fails(kind)}).kind(), kind);
    EXPECT_EQ(calls_, 1) << to_string(kind);
  }
  EXPECT_TRUE(clock_.sleeps().empty());
}

TEST_F(RetriedTest, WaitsAsLongAsTheServerAsks) {
  ask({fails(Error(ErrorKind::Overloaded, "busy").wait(2s)), good});
  EXPECT_EQ(clock_.sleeps(), (Sleeps{2s}));
}

TEST_F(RetriedTest, FailsAtOnceWhenTheWaitWouldPassTheDeadline) {
  deadline_ = clock_.now() + 2s;
  EXPECT_EQ(failure({fails(Error(ErrorKind::Overloaded, "busy").wait(2s)), good}).kind(),
            ErrorKind::Overloaded);
  EXPECT_EQ(calls_, 1);
  EXPECT_TRUE(clock_.sleeps().empty());
}

TEST_F(RetriedTest, WithoutADeadlineDoesNotWaitForHours) {
  EXPECT_EQ(failure({fails(Error(ErrorKind::Overloaded, "busy").wait(1h)), good}).kind(),
            ErrorKind::Overloaded);
  EXPECT_EQ(calls_, 1);
}

TEST_F(RetriedTest, TriesARefusedConnectionThreeTimesWithinASecond) {
  const Step refused = [](const core::Context&) -> core::ModelReply {
    throw net::Unreachable(ErrorKind::Unavailable, "refused");
  };
  const Instant began = clock_.now();
  EXPECT_EQ(failure({refused}).kind(), ErrorKind::Unavailable);
  EXPECT_EQ(calls_, 3);
  EXPECT_LE(clock_.now() - began, 1s);
}

TEST_F(RetriedTest, DoesNotConnectAgainAfterASlowFailureToConnect) {
  const Step silent = [this](const core::Context&) -> core::ModelReply {
    clock_.pass(3s);
    throw net::Unreachable(ErrorKind::Unavailable, "no connection within 3 s");
  };
  failure({silent});
  EXPECT_EQ(calls_, 1);
}

TEST_F(RetriedTest, RetractsTheDraftsOfEachFailedTry) {
  request_.attempt = 4;
  const Step half = [](const core::Context& context) -> core::ModelReply {
    context.emit(core::Draft{4, "some te"});
    throw Error(ErrorKind::Unavailable, "the stream broke");
  };
  const Step whole = [](const core::Context& context) {
    context.emit(core::Draft{4, "some text"});
    return good(context);
  };
  ask({half, whole});
  EXPECT_EQ(listener_.names(), (std::vector<std::string>{"draft", "retracted", "draft"}));
}

TEST_F(RetriedTest, RetractsTheDraftsOfACallThatFailsForGood) {
  const Step half = [](const core::Context& context) -> core::ModelReply {
    context.emit(core::Draft{1, "some te"});
    throw Error(ErrorKind::Cancelled, "stop");
  };
  failure({half});
  EXPECT_EQ(listener_.names(), (std::vector<std::string>{"draft", "retracted"}));
}

Step fails_paid(ErrorKind kind) {
  return [kind](const core::Context&) -> core::ModelReply {
    throw core::PaidError(Error(kind, "half"),
                          {.calls = 1, .input = {10}, .output = {2}, .estimated = true});
  };
}

TEST_F(RetriedTest, AddsWhatFailedTriesHaveCost) {
  const auto reply = ask({fails_paid(ErrorKind::Unavailable), fails(ErrorKind::Unavailable), good});
  const core::Usage expected{.calls = 2, .input = {20}, .output = {7}, .estimated = true};
  EXPECT_EQ(reply.usage, expected);
}

TEST_F(RetriedTest, AFailureForGoodCarriesTheCostOfAllTries) {
  try {
    ask({fails_paid(ErrorKind::Unavailable), fails_paid(ErrorKind::Refused)});
    FAIL() << "it succeeded";
  } catch (const core::PaidError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Refused);
    EXPECT_EQ(error.usage().calls, 2);
    EXPECT_EQ(error.usage().total().count, 24);
  }
}

}  // namespace
}  // namespace hone::model
