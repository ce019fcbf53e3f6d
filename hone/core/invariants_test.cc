// Invariants 1 to 6 of the loop over random scripts of outputs, evaluations and faults.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "hone/base/error.h"
#include "hone/core/function_roles.h"
#include "hone/core/testing.h"

namespace hone::core {
namespace {

enum class Fault { None, Unavailable, Refused, Cancelled, Crash };

void raise(Fault fault) {
  switch (fault) {
    case Fault::None:
      return;
    case Fault::Unavailable:
      throw Error(ErrorKind::Unavailable, "nobody answers");
    case Fault::Refused:
      throw Error(ErrorKind::Refused, "the provider refuses");
    case Fault::Cancelled:
      throw Error(ErrorKind::Cancelled, "stopped");
    case Fault::Crash:
      throw std::runtime_error("crashed");
  }
}

struct Step {
  Output output;
  Fault make = Fault::None;  // Of the generator or reviser.
  Fault reflect = Fault::None;
  std::vector<std::int64_t> calls;  // What making it costs: tokens, call by call.
};

// What the evaluator says of a text, one answer a time it is asked.
struct Opinion {
  std::optional<double> score;  // Absent: unknown.
  std::size_t passed_checks = 0;
  Fault fault = Fault::None;
};

struct Script {
  std::vector<Step> steps;
  std::map<std::string, std::vector<Opinion>> opinions;
  LoopOptions options;
  std::optional<Tokens> budget;
};

rc::Gen<Fault> fault() {
  return rc::gen::weightedElement<Fault>({{30, Fault::None},
                                          {1, Fault::Unavailable},
                                          {1, Fault::Refused},
                                          {1, Fault::Cancelled},
                                          {1, Fault::Crash}});
}

rc::Gen<Step> step() {
  // Few texts, so that repeats are frequent.
  const auto text = rc::gen::elementOf(std::vector<std::string>{"a", "b", "c", "d", "e", ""});
  const auto finish =
      rc::gen::weightedElement<Finish>({{8, Finish::Complete}, {1, Finish::Length}});
  return rc::gen::build<Step>(
      rc::gen::set(&Step::output, rc::gen::build<Output>(rc::gen::set(&Output::text, text),
                                                         rc::gen::set(&Output::finish, finish))),
      rc::gen::set(&Step::make, fault()), rc::gen::set(&Step::reflect, fault()),
      rc::gen::set(&Step::calls, rc::gen::container<std::vector<std::int64_t>>(
                                     2, rc::gen::inRange<std::int64_t>(0, 100))));
}

rc::Gen<Opinion> opinion() {
  const auto score = rc::gen::weightedOneOf<std::optional<double>>(
      {{1, rc::gen::just(std::optional<double>())},
       {6, rc::gen::map(rc::gen::inRange(0, 21), [](int n) { return std::optional(n / 20.0); })}});
  return rc::gen::build<Opinion>(
      rc::gen::set(&Opinion::score, score),
      rc::gen::set(&Opinion::passed_checks, rc::gen::inRange<std::size_t>(0, 3)),
      rc::gen::set(&Opinion::fault, fault()));
}

rc::Gen<LoopOptions> options() {
  return rc::gen::exec([] {
    LoopOptions made;
    made.stop.attempts = *rc::gen::inRange(1, 8);
    if (*rc::gen::arbitrary<bool>()) made.stop.when.plateau = std::nullopt;
    if (*rc::gen::arbitrary<bool>()) made.stop.when.duplicate = std::nullopt;
    made.selection = *rc::gen::element(Selection::HighestScore, Selection::HighestScore,
                                       Selection::Latest, Selection::FirstSatisfactory,
                                       Selection::WeightedRecency, Selection::First);
    made.reflects_on_last = *rc::gen::arbitrary<bool>();
    return made;
  });
}

rc::Gen<Script> script() {
  return rc::gen::exec([] {
    Script made;
    made.steps = *rc::gen::container<std::vector<Step>>(8, step());
    for (const char* text : {"a", "b", "c", "d", "e", ""}) {
      made.opinions[text] = *rc::gen::container<std::vector<Opinion>>(5, opinion());
    }
    made.options = *options();
    if (*rc::gen::arbitrary<bool>()) made.budget = Tokens{*rc::gen::inRange(1, 300)};
    return made;
  });
}

Evaluation evaluation_of(const Opinion& opinion) {
  raise(opinion.fault);
  if (!opinion.score) return unknown("could not tell");
  const Score score(*opinion.score);
  Evaluation evaluation = *opinion.score >= 0.9 ? passed(score) : failed(score, {});
  for (std::size_t i = 0; i < opinion.passed_checks; ++i) {
    evaluation.checks.push_back({"check", Outcome::Passed, Score(1.0)});
  }
  evaluation.checks.push_back({"last", evaluation.outcome, score});
  return evaluation;
}

// Everything that happened, seen from outside of the loop.
struct Observed {
  Run run;
  Run folded;
  std::map<std::string, int>
      asked_again;    // Times an unknown verdict on a text was asked for again.
  int cut_short = 0;  // Judgements that a cancellation ended, which then tell nothing.
  std::map<std::string, int> judged;  // Times each text was judged.
  std::vector<int> best_before;       // The best attempt when each revision was asked for.
  std::int64_t spent = 0;
  std::int64_t largest_call = 0;
};

class Folding final : public EventSink {
 public:
  Folding(Run& run, std::map<std::string, int>& asked_again)
      : run_(run), asked_again_(asked_again) {}
  Instant emit(const std::string& id, const Event& event, Instant at) override {
    run_.id = id;
    if (const auto* asked = std::get_if<Reevaluated>(&event)) {
      ++asked_again_[run_.attempt(asked->attempt).output.text];
    }
    apply(run_, event, at);
    return at;
  }

 private:
  Run& run_;
  std::map<std::string, int>& asked_again_;
};

Observed play(const Script& script) {
  Observed seen;
  Folding folding(seen.folded, seen.asked_again);
  Budget budget;
  budget.tokens = script.budget;
  TestScene scene(budget, &folding);
  const auto make = [&](const Run& run, Role role) {
    const Step& step = script.steps.at(run.attempts.size());
    for (const std::int64_t tokens : step.calls) {
      const auto room = scene.ledger().reserve({0}, {0});
      raise(step.make);
      Usage usage;
      usage.calls = 1;
      usage.output = {tokens};
      scene.ledger().settle(role, usage);
      seen.largest_call = std::max(seen.largest_call, tokens);
    }
    return step.output;
  };
  FunctionGenerator generator([&](const Run& run) { return make(run, Role::Generate); });
  FunctionReviser reviser([&](const Run& run) {
    seen.best_before.push_back(run.find_best()->number);
    return make(run, Role::Revise);
  });
  FunctionEvaluator evaluator([&](const Run&, const Output& output) {
    const auto& opinions = script.opinions.at(output.text);
    const auto times = static_cast<std::size_t>(seen.judged[output.text]++);
    const Opinion& opinion = opinions[std::min(times, opinions.size() - 1)];
    if (opinion.fault == Fault::Cancelled) ++seen.cut_short;
    return evaluation_of(opinion);
  });
  FunctionReflector reflector([&](const Run& run) {
    raise(script.steps.at(run.attempts.size() - 1).reflect);
    return Reflection{.text = "why"};
  });
  NoMemory memory;
  seen.run = scene.run(Task{.prompt = "task"}, {generator, evaluator, reflector, reviser, memory},
                       script.options);
  seen.spent = scene.ledger().spent().total().total().count;
  return seen;
}

RC_GTEST_PROP(Invariants, WhatIsReturnedHasBeenEvaluated, ()) {
  const Observed seen = play(*script());
  RC_ASSERT(seen.run.stop.has_value());
  RC_ASSERT(seen.run.selected.has_value() == !seen.run.attempts.empty());
  if (seen.run.selected) RC_ASSERT(seen.run.find_selected() != nullptr);
}

RC_GTEST_PROP(Invariants, NoAttemptIsBetterThanTheReturnedOneAndTiesGoToTheEarliest, ()) {
  Script made = *script();
  made.options.selection = Selection::HighestScore;
  const Observed seen = play(made);
  if (!seen.run.selected) return;
  const Attempt& chosen = *seen.run.find_selected();
  for (const Attempt& other : seen.run.attempts) {
    const int order = compare(other.evaluation, chosen.evaluation);
    RC_ASSERT(order <= 0);
    if (order == 0) RC_ASSERT(other.number >= chosen.number);
    RC_ASSERT(other.evaluation.outcome <= chosen.evaluation.outcome);
  }
}

RC_GTEST_PROP(Invariants, EveryRevisionStartsFromTheBestSoFar, ()) {
  const Observed seen = play(*script());
  // An unknown of this run may have been judged again at the end; look at what the reviser saw.
  for (std::size_t i = 1; i < seen.run.attempts.size(); ++i) {
    RC_ASSERT(seen.run.attempts[i].parent == seen.best_before.at(i - 1));
  }
}

RC_GTEST_PROP(Invariants, AnEvaluatorThatFailsGivesUnknownWithoutAScore, ()) {
  const Observed seen = play(*script());
  for (const Attempt& attempt : seen.run.attempts) {
    const Evaluation& evaluation = attempt.evaluation;
    RC_ASSERT((evaluation.outcome == Outcome::Unknown) == !evaluation.score);
    RC_ASSERT((evaluation.outcome == Outcome::Unknown) == evaluation.error.has_value());
    if (attempt.output.finish != Finish::Complete)
      RC_ASSERT(evaluation.outcome == Outcome::Unknown);
  }
}

RC_GTEST_PROP(Invariants, AnUnknownIsReturnedOverAnEvaluatedAttemptOnlyAfterAskingAgain, ()) {
  Script made = *script();
  made.budget.reset();
  for (Step& step : made.steps) step = {step.output, Fault::None, Fault::None, step.calls};
  for (auto& [text, opinions] : made.opinions) {
    for (Opinion& opinion : opinions) {
      if (opinion.fault == Fault::Cancelled) opinion.fault = Fault::Crash;
    }
  }
  const Observed seen = play(made);
  const Attempt& chosen = *seen.run.find_selected();
  const bool over_evaluated = std::ranges::any_of(seen.run.attempts, [](const Attempt& attempt) {
    return attempt.evaluation.outcome == Outcome::Failed;
  });
  if (chosen.evaluation.outcome != Outcome::Unknown || !over_evaluated) return;
  if (chosen.output.finish != Finish::Complete) return;
  RC_ASSERT(seen.judged.at(chosen.output.text) == 1 + 3);
}

RC_GTEST_PROP(Invariants, NoRunIsInfiniteAndARepeatIsNotJudgedAgain, ()) {
  const Observed seen = play(*script());
  RC_ASSERT(static_cast<int>(seen.run.attempts.size()) <= 8);
  std::map<std::string, int> unknowns;
  for (const Attempt& attempt : seen.run.attempts) {
    if (!attempt.duplicate_of) continue;
    const Attempt& original = seen.run.attempt(*attempt.duplicate_of);
    RC_ASSERT(original.output.text == attempt.output.text);
    RC_ASSERT(!original.duplicate_of);
    RC_ASSERT(attempt.evaluation.usage == Usage{});
  }
  for (const auto& [text, times] : seen.judged) {
    const auto again = seen.asked_again.find(text);
    const int asked_again = again == seen.asked_again.end() ? 0 : again->second;
    RC_ASSERT(asked_again <= 3);
    RC_ASSERT(times <= 1 + asked_again + seen.cut_short);
  }
}

RC_GTEST_PROP(Invariants, ABudgetIsOvershotByOneCallAtMost, ()) {
  const Script made = *script();
  const Observed seen = play(made);
  if (made.budget)
    RC_ASSERT(seen.spent < made.budget->count + std::max<std::int64_t>(1, seen.largest_call));
  RC_ASSERT(seen.run.usage.total().total().count == seen.spent);
}

RC_GTEST_PROP(Invariants, FoldingTheEventsGivesTheRunBack, ()) {
  const Observed seen = play(*script());
  RC_ASSERT(seen.folded == seen.run);
}

}  // namespace
}  // namespace hone::core
