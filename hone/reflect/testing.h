// What the tests of generators, reflectors and revisers share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hone/core/fake_model.h"
#include "hone/core/testing.h"

namespace hone::reflect {

using core::failure;
using core::FakeModel;
using core::reply;
using Step = core::FakeAnswer;

// Somebody who looks at drafts.
class Audience final : public core::EventSink {
 public:
  Instant emit(const std::string&, const core::Event&, Instant at) override { return at; }
};

// Where the role of an attempt is called, with an audience.
inline core::Context context_of(core::TestScene& scene, int attempt, std::string_view role) {
  core::Context context = scene.context().at("attempt", attempt).at(role);
  static Audience audience;
  context.attempt = attempt;
  context.events = &audience;
  return context;
}

inline core::Attempt rejected(int number, std::string text, std::string reason) {
  core::Attempt attempt;
  attempt.number = number;
  attempt.output.text = std::move(text);
  core::Issue issue;
  issue.message = std::move(reason);
  attempt.evaluation = core::failed(Score(0.1 * number), {issue});
  return attempt;
}

inline core::Run some_run() {
  core::Run run;
  run.task.prompt = "Add 20 and 22.";
  return run;
}

// The second of which is better.
inline core::Run two_attempts() {
  core::Run run = some_run();
  run.attempts = {rejected(1, "first text", "too low"), rejected(2, "second text", "too high")};
  return run;
}

// The same with repeats of the last attempt.
inline core::Run with_repeats(core::Run run, int count) {
  core::Attempt repeat = run.attempts.back();
  repeat.duplicate_of = repeat.number;
  for (int i = 0; i < count; ++i) {
    repeat.number = run.next_number();
    run.attempts.push_back(repeat);
  }
  return run;
}

// The same with an attempt that is worse than all others.
inline core::Run with_regression(core::Run run, std::string strategy) {
  core::Attempt worse = rejected(run.next_number(), "worse text", "broken");
  worse.evaluation.score = Score(0.0);
  worse.output.text += std::to_string(worse.number);
  worse.output.strategy = std::move(strategy);
  run.attempts.push_back(std::move(worse));
  return run;
}

}  // namespace hone::reflect
