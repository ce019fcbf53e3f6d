// What the tests of checks share.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/effects.h"
#include "hone/core/testing.h"

namespace hone::evaluate {

using Step = std::function<core::ModelReply()>;

inline Step reply(std::string text, core::Finish finish = core::Finish::Complete,
                  std::vector<double> probabilities = {}) {
  core::ModelReply reply;
  reply.text = std::move(text);
  reply.finish = finish;
  reply.model = "m";
  reply.probabilities = std::move(probabilities);
  return [=] { return reply; };
}

inline Step failure(ErrorKind kind) {
  return [=]() -> core::ModelReply { throw Error(kind, "it failed"); };
}

// Answers from a list and keeps what it was asked.
class FakeModel final : public core::Model {
 public:
  explicit FakeModel(std::deque<Step> steps) : steps_(std::move(steps)) {}

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    asked.push_back(request);
    paths.push_back(context.path);
    if (steps_.empty()) throw Error(ErrorKind::Internal, "asked too often");
    const Step step = std::move(steps_.front());
    steps_.pop_front();
    co_return step();
  }
  std::string name() const override { return "fake:judge"; }

  std::vector<core::ModelRequest> asked;
  std::vector<std::string> paths;

 private:
  std::deque<Step> steps_;
};

// Answers by what it is asked.
class FunctionModel final : public core::Model {
 public:
  using Answer = std::function<std::string(const core::ModelRequest&)>;
  explicit FunctionModel(Answer answer) : answer_(std::move(answer)) {}

  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    ++calls;
    core::ModelReply reply;
    reply.text = answer_(request);
    co_return reply;
  }
  std::string name() const override { return "fake:function"; }

  int calls = 0;

 private:
  Answer answer_;
};

inline async<void> evaluate_into(core::Evaluation& evaluation, core::Context context,
                                 core::Evaluator& evaluator, const core::Run& run,
                                 const core::Output& output) {
  evaluation = co_await evaluator.evaluate(std::move(context), run, output);
}

// The evaluation of a complete output with this text in this run.
inline core::Evaluation evaluation_in(const core::Run& run, core::Evaluator& evaluator,
                                      std::string text) {
  core::TestScene scene;
  core::Context context = scene.context();
  context.path = "attempt/1/evaluate";
  context.attempt = 1;
  const core::Output output{.text = std::move(text)};
  core::Evaluation evaluation;
  run_sync([&] { return evaluate_into(evaluation, context, evaluator, run, output); });
  return evaluation;
}

// The evaluation of a complete output with this text; throws what the evaluator throws.
inline core::Evaluation evaluation_of(core::Evaluator& evaluator, std::string text,
                                      core::Budget budget = {}) {
  core::TestScene scene(std::move(budget));
  const core::Output output{.text = std::move(text)};
  const core::Run run;
  core::Evaluation evaluation;
  run_sync([&] { return evaluate_into(evaluation, scene.context(), evaluator, run, output); });
  return evaluation;
}

}  // namespace hone::evaluate
