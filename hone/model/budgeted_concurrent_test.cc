// Attempts at once share one budget: whatever the order in which their calls end, they do not
// overshoot together, and none is refused for what nobody spends.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <list>

#include "hone/async/group.h"
#include "hone/async/one_shot.h"
#include "hone/core/paid_error.h"
#include "hone/model/answer.h"
#include "hone/model/budgeted.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

constexpr double kPrice = 1e-6;  // Dollars for a token.

std::optional<Usd> price(Tokens prompt, Tokens answer) {
  return Usd{kPrice * static_cast<double>(prompt.count + answer.count)};
}

// One call that waits to be answered.
struct Pending {
  OneShot answered;
  Tokens longest;
};

// Answers when it is told to, with a length of its own up to what was asked for.
class Waiting final : public core::Model {
 public:
  Waiting(std::list<Pending>& pending, std::vector<double> lengths, int& calls)
      : pending_(pending), lengths_(std::move(lengths)), calls_(calls) {}

  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    const double share = lengths_[static_cast<std::size_t>(calls_++) % lengths_.size()];
    const Tokens longest = request.sampling.max_tokens.value_or(core::kDefaultMaxTokens);
    pending_.push_back({OneShot(), longest});
    const OneShot answered = pending_.back().answered;
    co_await answered.wait();
    core::ModelReply reply;
    reply.usage = {.calls = 1, .input = estimated_prompt(request)};
    reply.usage.output.count =
        static_cast<std::int64_t>(share * static_cast<double>(longest.count));
    reply.usage.usd = price(reply.usage.input, reply.usage.output);
    if (share > 0.9) throw core::PaidError({ErrorKind::Unavailable, "gone"}, reply.usage);
    co_return reply;
  }
  std::string name() const override { return "waiting"; }

 private:
  std::list<Pending>& pending_;
  std::vector<double> lengths_;
  int& calls_;
};

struct Outcome {
  int answered = 0;
  int failed = 0;
  int refused = 0;
};

// What a random schedule is made of.
struct Schedule {
  core::Budget budget;
  int callers = 1;
  int calls_each = 1;
  std::vector<int> prompts;     // Characters.
  std::vector<int> answers;     // Longest answers; 0 for the default.
  std::vector<double> lengths;  // How much of them is written.
  std::vector<int> order;       // Which of the waiting calls is answered next.
};

async<void> call_into(core::ModelReply& reply, core::Model& model, core::Context context,
                      core::ModelRequest request) {
  reply = co_await model.complete(std::move(context), request);
}

class Playing {
 public:
  Playing(const Schedule& schedule, core::Context context, core::Model& model,
          std::list<Pending>& pending)
      : schedule_(schedule), context_(std::move(context)), model_(model), pending_(pending) {}

  // The last one answers whoever waits, in the order of the schedule, until all are done.
  async<void> part(std::size_t index) {
    if (index == static_cast<std::size_t>(schedule_.callers)) {
      co_await answer_all();
    } else {
      co_await call_often(index);
      ++done_;
    }
  }
  const Outcome& outcome() const { return outcome_; }

 private:
  core::ModelRequest request(std::size_t number) const {
    core::ModelRequest request;
    const int length = schedule_.prompts[number % schedule_.prompts.size()];
    request.messages = {{core::Speaker::User, std::string(static_cast<std::size_t>(length), 'x')}};
    const int answer = schedule_.answers[number % schedule_.answers.size()];
    if (answer > 0) request.sampling.max_tokens = Tokens{answer};
    return request;
  }

  async<void> call_often(std::size_t caller) {
    for (int i = 0; i < schedule_.calls_each; ++i) {
      core::ModelReply reply;
      const std::size_t number = caller * 7 + static_cast<std::size_t>(i);
      auto call = call_into(reply, model_, context_, request(number));
      const std::exception_ptr failure = co_await caught(std::move(call));
      count(failure);
    }
  }

  void count(const std::exception_ptr& failure) {
    if (!failure) {
      ++outcome_.answered;
    } else if (to_error(failure).kind() == ErrorKind::BudgetExhausted) {
      ++outcome_.refused;
    } else {
      ++outcome_.failed;
    }
  }

  async<void> answer_all() {
    std::size_t step = 0;
    while (done_ < schedule_.callers) {
      co_await others();
      if (pending_.empty()) continue;
      const auto choice =
          static_cast<std::size_t>(schedule_.order[step++ % schedule_.order.size()]);
      const auto next =
          std::next(pending_.begin(), static_cast<std::ptrdiff_t>(choice % pending_.size()));
      const OneShot answered = next->answered;
      pending_.erase(next);
      answered.set();
    }
  }

  // Lets everybody else go on.
  static async<void> others() {
    const auto nothing = [](std::size_t) { return nobody(); };
    co_await for_each_index(2, 2, nothing);
  }
  static async<void> nobody() { co_return; }

  const Schedule& schedule_;
  core::Context context_;
  core::Model& model_;
  std::list<Pending>& pending_;
  Outcome outcome_;
  int done_ = 0;
};

async<void> play(Playing& playing, int callers) {
  const auto part = [&playing](std::size_t index) { return playing.part(index); };
  const auto parts = static_cast<std::size_t>(callers) + 1;
  co_await for_each_index(parts, parts, part);
}

Schedule any_schedule() {
  Schedule schedule;
  const int limits = *rc::gen::inRange(1, 8);
  const std::int64_t tokens = *rc::gen::inRange(1, 30'000);
  if ((limits & 1) != 0) schedule.budget.tokens = Tokens{tokens};
  if ((limits & 2) != 0) schedule.budget.usd = Usd{kPrice * *rc::gen::inRange(1, 30'000)};
  if ((limits & 4) != 0) schedule.budget.calls = *rc::gen::inRange(1, 20);
  schedule.callers = *rc::gen::inRange(1, 9);
  schedule.calls_each = *rc::gen::inRange(1, 7);
  for (int i = 0; i < 11; ++i) {
    schedule.prompts.push_back(*rc::gen::inRange(1, 4000));
    schedule.answers.push_back(*rc::gen::element(0, 20, 300, 2048, 6000));
    schedule.lengths.push_back(*rc::gen::inRange(0, 101) / 100.0);
    schedule.order.push_back(*rc::gen::inRange(0, 100));
  }
  return schedule;
}

// By how much one call that finds something left may go beyond it: its prompt and the least answer.
constexpr std::int64_t kOneCall = 1000 + 10 + core::Ledger::kLeastAnswer.count;

void check(const Schedule& schedule, const core::Ledger& ledger, const Outcome& outcome) {
  const core::Usage spent = ledger.spent().total();
  const core::Budget& budget = schedule.budget;
  if (budget.tokens) RC_ASSERT(spent.total().count <= budget.tokens->count + kOneCall);
  if (budget.usd && spent.usd) {
    RC_ASSERT(spent.usd->amount <= budget.usd->amount + kPrice * kOneCall + 1e-9);
  }
  if (budget.calls) RC_ASSERT(spent.calls <= *budget.calls);
  RC_ASSERT(!ledger.has_reservations());
  RC_ASSERT(outcome.answered + outcome.failed + outcome.refused ==
            schedule.callers * schedule.calls_each);
  RC_ASSERT(outcome.answered + outcome.failed == spent.calls);
  // Who was refused was so because it was really spent.
  if (outcome.refused > 0) RC_ASSERT(ledger.exhausted().has_value());
  RC_ASSERT(outcome.answered + outcome.failed > 0);
}

RC_GTEST_PROP(BudgetedAtOnce, NeverOvershootsByMoreThanOneCallAndRefusesNobodyTooEarly, ()) {
  const Schedule schedule = any_schedule();
  std::list<Pending> pending;
  int calls = 0;
  Budgeted model(std::make_unique<Waiting>(pending, schedule.lengths, calls), price);
  core::TestScene scene(schedule.budget);
  Playing playing(schedule, scene.context(), model, pending);
  run_sync([&] { return play(playing, schedule.callers); });
  check(schedule, scene.ledger(), playing.outcome());
}

}  // namespace
}  // namespace hone::model
