// Hidden tests reach no prompt of a run.
#include <gtest/gtest.h>

#include "hone/core/run_task.h"
#include "hone/evaluate/chain.h"
#include "hone/evaluate/judge.h"
#include "hone/evaluate/system_runner.h"
#include "hone/evaluate/testing.h"
#include "hone/evaluate/tests_check.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"

namespace hone::task {
namespace {

// Everything fails, and says as much as it can.
class FailingCode final : public core::CodeRunner {
 public:
  async<core::CodeResult> run(core::Context, const core::CodeRequest& request) override {
    core::CodeResult result;
    result.end = core::CodeEnd::Raised;
    result.message = "AssertionError in " + request.test;
    if (request.use == core::CodeUse::Value) result.value = JsonText{"\"wrong\""};
    co_return result;
  }
};

class KeepsPrompts final : public core::Model {
 public:
  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    for (const core::Message& message : request.messages) prompts += message.text + "\n";
    roles += std::string(core::to_string(request.role)) + " ";
    core::ModelReply reply;
    reply.text = request.role == core::Role::Evaluate
                     ? R"({"passed": false, "score": 0.2, "reason": "no"})"
                     : "def f(x): return " + std::to_string(++count_);
    co_return reply;
  }
  std::string name() const override { return "fake:all"; }

  std::string prompts;
  std::string roles;

 private:
  int count_ = 0;
};

core::Run run_with_hidden_tests(KeepsPrompts& model, reflect::Strategy strategy) {
  FailingCode code;
  evaluate::SystemRunner processes;
  evaluate::TestsOptions open{.tests = {"assert f(1) == 1"}};
  evaluate::TestsOptions hidden{.tests = {"assert f(8675309) == 'secret_value'"},
                                .setup = "secret_setup = 1",
                                .hidden = true};
  std::vector<evaluate::NamedCheck> checks;
  checks.push_back(
      {.name = "open", .evaluator = std::make_unique<evaluate::TestsCheck>(open, code, processes)});
  checks.push_back({.name = "numbers of secret_name",
                    .evaluator = std::make_unique<evaluate::TestsCheck>(hidden, code, processes)});
  checks.push_back({.name = "judge",
                    .evaluator = std::make_unique<evaluate::Judge>(model, evaluate::JudgeOptions()),
                    .is_judge = true,
                    .always = true});
  evaluate::Chain chain(std::move(checks));
  reflect::ModelGenerator generator(model, core::Sampling());
  reflect::ModelReflector reflector(model, core::Sampling());
  reflect::ModelReviser reviser(model, {.strategy = strategy}, core::Sampling());
  core::NoMemory memory;
  core::Task task;
  task.prompt = "Write f.";
  return core::run_task(task, core::Roles{generator, chain, reflector, reviser, memory});
}

TEST(HiddenTests, AreInNoPromptOfARun) {
  for (const auto strategy : {reflect::Strategy::Regenerate, reflect::Strategy::FullRewrite,
                              reflect::Strategy::TargetedEdit}) {
    KeepsPrompts model;
    const core::Run run = run_with_hidden_tests(model, strategy);
    EXPECT_GE(run.attempts.size(), 2U);
    for (const char* role : {"generate", "evaluate", "reflect", "revise"})
      EXPECT_NE(model.roles.find(role), std::string::npos) << role;
    EXPECT_NE(model.prompts.find("assert f(1) == 1 # output: wrong"), std::string::npos);
    for (const char* secret : {"8675309", "secret_value", "secret_setup", "secret_name"})
      EXPECT_EQ(model.prompts.find(secret), std::string::npos) << secret;
  }
}

}  // namespace
}  // namespace hone::task
