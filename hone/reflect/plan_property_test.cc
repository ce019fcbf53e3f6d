// What holds for every revision, over random runs, strategies and policies.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hone/prompt/prompts.h"
#include "hone/prompt/reasons.h"
#include "hone/reflect/plan.h"
#include "hone/reflect/reviser.h"
#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

core::Evaluation some_evaluation() {
  const int score = *rc::gen::inRange(-1, 10);
  if (score < 0) return core::unknown("could not tell");
  core::Issue issue;
  issue.message = fmt::format("fault {}", *rc::gen::inRange(0, 4));
  if (*rc::gen::arbitrary<bool>()) issue.line = 1;
  return core::failed(Score(score / 10.0), {issue});
}

std::string some_strategy() {
  return *rc::gen::element<std::string>("regenerate", "full_rewrite", "targeted_edit",
                                        "incremental (attempt 2 was worse)",
                                        "full_rewrite after targeted_edit");
}

core::Run random_run() {
  core::Run run = some_run();
  const int attempts = *rc::gen::inRange(1, 7);
  for (int number = 1; number <= attempts; ++number) {
    core::Attempt attempt;
    attempt.number = number;
    attempt.output.text = fmt::format("<text {}>", *rc::gen::inRange(1, 9));
    const core::Attempt* same = run.find_same(attempt.output);
    if (same != nullptr) attempt.duplicate_of = same->number;
    attempt.evaluation = same != nullptr ? same->evaluation : some_evaluation();
    if (number > 1) attempt.output.strategy = some_strategy();
    run.attempts.push_back(std::move(attempt));
  }
  return run;
}

RevisionOptions random_options() {
  RevisionOptions options;
  options.strategy =
      *rc::gen::element(Strategy::Regenerate, Strategy::FullRewrite, Strategy::TargetedEdit,
                        Strategy::Incremental, Strategy::Hybrid);
  options.policy = policy_named(*rc::gen::element<std::string>("default", "show_best", "fresh"));
  return options;
}

async<void> revise_into(core::Output& output, core::Context context, core::Reviser& reviser,
                        const core::Run& run) {
  output = co_await reviser.revise(std::move(context), run);
}

// The user messages of a whole revision, none of whose edits fit.
std::vector<std::string> prompts_of(const core::Run& run, const RevisionOptions& options) {
  FakeModel model({reply("no edit"), reply("no edit"), reply("no edit")});
  ModelReviser reviser(model, options);
  core::TestScene scene;
  const core::Context context = context_of(scene, run.next_number(), "revise");
  core::Output output;
  run_sync([&] { return revise_into(output, context, reviser, run); });
  std::vector<std::string> texts;
  for (const core::ModelRequest& request : model.asked)
    texts.push_back(request.messages.back().text);
  return texts;
}

RC_GTEST_PROP(Regressions, AreRevertedByAnotherStrategy, ()) {
  const core::Run run = with_regression(random_run(), some_strategy());
  RC_PRE(prompt::is_regression(run));
  const core::Attempt& last = run.attempts.back();
  const Plan plan = plan_revision(run, random_options());
  if (plan.strategy != Strategy::Regenerate) RC_ASSERT(plan.strategy != strategy_of(last.output));
}

RC_GTEST_PROP(Revisions, NeverShowAnotherTextThanTheBest, ()) {
  const core::Run run = random_run();
  const RevisionOptions options = random_options();
  const Plan plan = plan_revision(run, options);
  const std::string& best = run.find_best()->output.text;
  for (const std::string& text : prompts_of(run, options)) {
    const bool has_best = text.find(best) != std::string::npos;
    RC_ASSERT(has_best == (plan.strategy != Strategy::Regenerate));
    for (const core::Attempt& attempt : run.attempts) {
      if (attempt.output.text == best) continue;
      RC_ASSERT(text.find(attempt.output.text) == std::string::npos);
    }
  }
}

RC_GTEST_PROP(Regressions, AreNamedWhereverReasonsAre, ()) {
  const core::Run run = random_run();
  const RevisionOptions options = random_options();
  const Plan plan = plan_revision(run, options);
  const bool named = prompt::is_regression(run) && !prompt::later_reasons(run).empty() &&
                     !plan.fresh && !plan.view.only;
  for (const std::string& text : prompts_of(run, options)) {
    RC_ASSERT((text.find("A later version broke:") != std::string::npos) == named);
  }
}

RC_GTEST_PROP(Revisions, AfterARepeatNoEarlierTextIsShown, ()) {
  const core::Run run = random_run();
  RC_PRE(run.attempts.back().duplicate_of.has_value());
  RC_ASSERT(plan_revision(run, random_options()).strategy == Strategy::Regenerate);
}

}  // namespace
}  // namespace hone::reflect
