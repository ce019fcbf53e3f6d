// What the tests of checks share.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/fake_model.h"
#include "hone/core/testing.h"

namespace hone::evaluate {

using core::failure;
using core::FakeModel;
using core::reply;
using Step = core::FakeAnswer;

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
