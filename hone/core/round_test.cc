#include "hone/core/round.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hone/async/one_shot.h"
#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/core/testing.h"

namespace hone::core {
namespace {

struct Turn {
  double score = 0;  // 0.8 passes.
  std::string text;
  bool fails = false;  // The model does not answer.
};

// Makes outputs in the order of `arrival`: who is not at the head of it waits for its turn.
class Crowd final : public Generator, public Reviser {
 public:
  Crowd(std::vector<Turn> turns, std::vector<int> arrival)
      : turns_(std::move(turns)), arrival_(std::move(arrival)), gates_(turns_.size()) {
    gates_[index(0)].set();
  }

  async<Output> generate(Context context, const Run&) override { return make(context); }
  async<Output> revise(Context context, const Run&) override { return make(context); }

  int at_once = 0;  // Most that were under way together.

 private:
  std::size_t index(std::size_t place) const {
    return static_cast<std::size_t>(arrival_[place] - 1);
  }

  async<Output> make(Context context) {
    at_once = std::max(at_once, ++under_way_);
    const auto number = static_cast<std::size_t>(context.attempt);
    co_await gates_[number - 1].wait();
    const auto place = std::ranges::find(arrival_, context.attempt) - arrival_.begin();
    const auto next = static_cast<std::size_t>(place) + 1;
    if (next < arrival_.size()) gates_[index(next)].set();
    --under_way_;
    const Turn& turn = turns_[number - 1];
    if (turn.fails) throw Error(ErrorKind::Unavailable, "nobody answers");
    Output output;
    output.text = turn.text;
    co_return output;
  }

  std::vector<Turn> turns_;
  std::vector<int> arrival_;
  std::vector<OneShot> gates_;
  int under_way_ = 0;
};

struct Told {
  core::Run run;
  int most_at_once = 0;
};

Told tell(const std::vector<Turn>& turns, const std::vector<int>& arrival, int at_once) {
  Crowd crowd(turns, arrival);
  FunctionEvaluator evaluator([&](const core::Run&, const Output& output) {
    const auto turn = std::ranges::find(turns, output.text, &Turn::text);
    return turn->score >= 0.8 ? passed(Score(turn->score)) : failed(Score(turn->score), {});
  });
  FunctionReflector reflector([](const core::Run& run) {
    return Reflection{.text = "on " + std::to_string(run.attempts.back().number)};
  });
  NoMemory memory;
  LoopOptions options;
  options.stop.attempts = static_cast<int>(turns.size());
  options.stop.when = {};
  options.at_once = at_once;
  TestScene scene;
  Told told;
  told.run = scene.run(Task{}, {crowd, evaluator, reflector, crowd, memory}, options);
  told.most_at_once = crowd.at_once;
  return told;
}

std::vector<Turn> turns_of(const std::vector<double>& scores) {
  std::vector<Turn> turns;
  for (const double score : scores) turns.push_back({score, std::string(1, 'a' + turns.size())});
  return turns;
}

std::vector<int> in_order(std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 1);
  return order;
}

RC_GTEST_PROP(Round, NumbersDoNotDependOnArrival, ()) {
  std::vector<double> scores;
  for (const int tenths : *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(0, 8))) {
    scores.push_back(tenths / 10.0);
  }
  std::vector<int> arrival = in_order(4);
  while (std::ranges::next_permutation(arrival).found) {
    const core::Run run = tell(turns_of(scores), arrival, 4).run;
    RC_ASSERT(run.attempts.size() == 4u);
    for (int number = 1; number <= 4; ++number) {
      const Attempt& attempt = run.attempt(number);
      RC_ASSERT(attempt.output.text == std::string(1, static_cast<char>('a' + number - 1)));
      RC_ASSERT(attempt.evaluation.score == Score(scores[static_cast<std::size_t>(number - 1)]));
      RC_ASSERT(!attempt.parent);
    }
    const auto best = std::ranges::max_element(scores) - scores.begin() + 1;
    RC_ASSERT(run.selected == static_cast<int>(best));
  }
}

TEST(Round, MakesSoManyAtOnceAndTheNextFromTheBest) {
  const Told told = tell(turns_of({0.1, 0.5, 0.3, 0.4, 0.2}), {3, 2, 1, 5, 4}, 3);
  EXPECT_EQ(told.most_at_once, 3);
  ASSERT_EQ(told.run.attempts.size(), 5u);
  EXPECT_EQ(told.run.attempt(4).parent, 2);
  EXPECT_EQ(told.run.attempt(5).parent, 2);
  EXPECT_EQ(told.run.stop->reason, StopReason::MaxAttempts);
}

TEST(Round, ReflectsOnceOnItsBest) {
  const core::Run run = tell(turns_of({0.1, 0.5, 0.3, 0.2}), in_order(4), 3).run;
  EXPECT_FALSE(run.attempt(1).reflection);
  ASSERT_TRUE(run.attempt(2).reflection);
  EXPECT_EQ(run.attempt(2).reflection->text, "on 2");
  EXPECT_FALSE(run.attempt(3).reflection);
}

TEST(Round, AModelThatFailsOnceLeavesTheOthers) {
  std::vector<Turn> turns = turns_of({0.1, 0.5, 0.3});
  turns[0].fails = true;
  const core::Run run = tell(turns, {3, 1, 2}, 3).run;
  ASSERT_EQ(run.attempts.size(), 3u);
  EXPECT_EQ(run.attempt(1).output.finish, Finish::Interrupted);
  EXPECT_EQ(run.attempt(1).evaluation.error, "nobody answers");
  EXPECT_EQ(run.selected, 2);
  EXPECT_EQ(run.stop->reason, StopReason::Error);
}

TEST(Round, APassOutweighsAFailure) {
  std::vector<Turn> turns = turns_of({0.1, 0.9, 0.3});
  turns[2].fails = true;
  const core::Run run = tell(turns, {3, 1, 2}, 3).run;
  EXPECT_EQ(run.stop->reason, StopReason::Passed);
  EXPECT_EQ(run.selected, 2);
  EXPECT_EQ(run.attempts.size(), 2u) << "what made no output at the end leaves no attempt";
}

TEST(Round, AModelThatIsDeadLeavesNoAttempt) {
  std::vector<Turn> turns = turns_of({0.1, 0.5});
  turns[0].fails = turns[1].fails = true;
  const core::Run run = tell(turns, {2, 1}, 2).run;
  EXPECT_TRUE(run.attempts.empty());
  EXPECT_EQ(run.stop->reason, StopReason::Error);
}

// Passes attempt 2 at once; the verdict on attempt 1 does not come.
class StuckOnTheFirst final : public Evaluator {
 public:
  async<Evaluation> evaluate(Context context, const core::Run&, const Output&) override {
    SystemClock clock;
    const bool stuck = context.attempt == 1;
    if (stuck) co_await clock.sleep_until(clock.now() + std::chrono::hours(1));
    co_return passed();
  }
};

TEST(Round, APassIsNotLostToAnIdenticalOutputThatWasCancelled) {
  FunctionGenerator generator([](const core::Run&) { return Output{.text = "same"}; });
  FunctionReviser reviser([](const core::Run&) { return Output{.text = "other"}; });
  FunctionReflector reflector([](const core::Run&) { return Reflection(); });
  StuckOnTheFirst evaluator;
  NoMemory memory;
  LoopOptions options;
  options.at_once = 2;
  TestScene scene;
  const core::Run run =
      scene.run(Task{}, {generator, evaluator, reflector, reviser, memory}, options);
  EXPECT_EQ(run.stop->reason, StopReason::Passed);
  ASSERT_EQ(run.attempts.size(), 2u);
  EXPECT_EQ(run.attempt(1).evaluation.outcome, Outcome::Passed);
  EXPECT_EQ(run.attempt(2).duplicate_of, 1);
  EXPECT_EQ(run.selected, 1);
}

TEST(Round, IdenticalOutputsHaveTheEvaluationOfTheFirst) {
  std::vector<Turn> turns = turns_of({0.3, 0.3, 0.2});
  turns[1].text = turns[0].text;
  const core::Run run = tell(turns, {2, 3, 1}, 3).run;
  EXPECT_EQ(run.attempt(2).duplicate_of, 1);
  EXPECT_EQ(run.attempt(2).evaluation.score, run.attempt(1).evaluation.score);
}

}  // namespace
}  // namespace hone::core
