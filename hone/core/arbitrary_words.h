// Arbitrary values of the words, for properties.
#pragma once

#include <rapidcheck.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hone/core/event.h"

namespace hone::core {

// Plain, empty, multi-line and non-UTF-8 text.
inline std::string any_text() {
  return *rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                         rc::gen::just(std::string("größer\n\"\\\x01")),
                         rc::gen::just(std::string("\xff\xfe")), rc::gen::just(std::string()));
}

inline int any_int() { return *rc::gen::inRange(-3, 2000000000); }
inline Score any_score() { return Score(*rc::gen::inRange(0, 1000001) / 1e6); }
inline bool any_bool() { return *rc::gen::arbitrary<bool>(); }

template <class Make>
auto maybe(Make make) {
  return any_bool() ? std::optional(make()) : std::nullopt;
}

template <class Make>
auto some(Make make) {
  std::vector<decltype(make())> items(static_cast<std::size_t>(*rc::gen::inRange(0, 4)),
                                      decltype(make())(make()));
  for (auto& item : items) item = make();
  return items;
}

template <class Enum>
Enum any_of(int count) {
  return static_cast<Enum>(*rc::gen::inRange(0, count));
}

inline Usage any_usage() {
  Usage usage;
  usage.calls = any_int();
  usage.input.count = any_int();
  usage.output.count = any_int();
  usage.cached.count = any_int();
  usage.usd = maybe([] { return Usd{any_int() / 1e7}; });
  usage.estimated = any_bool();
  usage.reasoning.count = any_int();
  usage.cache_written.count = any_int();
  return usage;
}

inline UsageByRole any_usage_by_role() {
  UsageByRole usage;
  usage[any_of<Role>(kRoles)] = any_usage();
  usage[Role::Embed] = any_usage();
  return usage;
}

inline Instant any_instant() { return Instant(Duration(*rc::gen::arbitrary<std::int64_t>())); }
inline Lesson any_lesson() { return {any_text(), any_text()}; }

inline Reflection any_reflection() {
  return {any_text(), any_text(), any_text(), any_text(),
          any_text(), any_text(), any_text(), any_text()};
}

inline JudgeIdentity any_judge() { return {any_text(), any_text()}; }

inline CheckResult any_check() {
  return {any_text(), any_of<Outcome>(3), maybe(any_score), maybe(any_judge)};
}

inline Issue any_issue() {
  return {any_text(), maybe(any_int), any_text(), any_text(), any_of<Severity>(2), any_text()};
}

inline Evaluation any_evaluation() {
  Evaluation evaluation;
  evaluation.outcome = any_of<Outcome>(3);
  evaluation.score = maybe(any_score);
  evaluation.interval = maybe([] { return Interval{any_int() / 3.0, any_int() / 7.0}; });
  evaluation.samples = any_int();
  evaluation.confidence = maybe([] { return any_int() / 9.0; });
  evaluation.checks = some(any_check);
  evaluation.criteria = some([] { return std::pair(any_text(), any_score()); });
  evaluation.issues = some(any_issue);
  evaluation.suggestions = some(any_text);
  evaluation.error = maybe(any_text);
  evaluation.value = maybe([] { return JsonText{"{\"a\":[1,2.50]}"}; });
  evaluation.usage = any_usage();
  evaluation.judge = maybe(any_judge);
  return evaluation;
}

inline Attempt any_attempt(int number) {
  Attempt attempt;
  attempt.number = number;
  attempt.output = {any_text(), any_of<Finish>(3), any_text(), any_text()};
  attempt.evaluation = any_evaluation();
  attempt.reflection = maybe(any_reflection);
  attempt.duplicate_of = maybe(any_int);
  attempt.parent = maybe(any_int);
  attempt.changes = {some(any_text), some(any_text), some(any_text), some(any_text)};
  attempt.usage = any_usage_by_role();
  attempt.started = any_instant();
  return attempt;
}

inline Task any_task() {
  const auto input = [] { return JsonText{"{\"b\":1,\"a\":null}"}; };
  return {any_text(), any_text(), any_text(), any_text(), maybe(input)};
}

inline std::vector<Event> any_events() {
  std::vector<Event> events{RunStarted{any_task()}, LessonsRecalled{some(any_lesson)}};
  const int attempts = *rc::gen::inRange(1, 4);
  for (int number = 1; number <= attempts; ++number) {
    events.emplace_back(AttemptStarted{number});
    events.emplace_back(Draft{number, any_text()});
    events.emplace_back(Evaluated{any_attempt(number)});
    events.emplace_back(Retracted{number, any_text()});
    events.emplace_back(Reflected{number, any_reflection(), any_usage_by_role()});
  }
  events.emplace_back(Reevaluated{attempts, any_evaluation(), any_usage_by_role()});
  events.emplace_back(BudgetWarning{any_text()});
  events.emplace_back(LessonLearned{any_lesson()});
  events.emplace_back(
      Stopped{{any_of<StopReason>(14), any_text(), any_text(), any_text()}, maybe(any_int)});
  events.emplace_back(Committed{1, any_text()});
  events.emplace_back(RunFinished{any_usage_by_role()});
  return events;
}

}  // namespace hone::core
