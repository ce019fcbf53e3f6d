#include "hone/reflect/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/reasons.h"

namespace hone::reflect {
namespace {

using core::Attempt;
using core::Issue;

struct Choice {
  Strategy strategy;
  std::string why;
};

bool is_repeat(const Attempt& attempt) { return attempt.duplicate_of.has_value(); }

Shows shown_after(const core::Run& run, const Policy& policy) {
  if (is_repeat(run.attempts.back())) return policy.after_repeat;
  return prompt::is_regression(run) ? policy.after_regression : policy.after_failure;
}

bool is_located(const Issue& issue) { return !issue.path.empty() || issue.line.has_value(); }

Choice by_scope(const core::Run& run) {
  const core::Evaluation& best = run.find_best()->evaluation;
  if (is_repeat(run.attempts.back())) return {Strategy::Regenerate, "hybrid: after a repeat"};
  if (!best.score) return {Strategy::Regenerate, "hybrid: no score"};
  if (best.score->value() < kLeastScoreToKeep) {
    return {Strategy::Regenerate, fmt::format("hybrid: score {:.2f}", best.score->value())};
  }
  const std::size_t issues = best.issues.size();
  const auto located = static_cast<std::size_t>(std::ranges::count_if(best.issues, is_located));
  const std::string why = fmt::format("hybrid: {} of {} issues have a place", located, issues);
  const bool few = located > 0 && located == issues && issues <= kMostLocatedIssues;
  return {few ? Strategy::TargetedEdit : Strategy::FullRewrite, why};
}

// After a regression of something made by `last`.
Choice another_than(Strategy last, const Attempt& attempt) {
  const bool edited = last == Strategy::TargetedEdit || last == Strategy::Incremental;
  return {edited ? Strategy::FullRewrite : Strategy::Regenerate,
          fmt::format("attempt {} was worse", attempt.number)};
}

// What was asked for, and after a regression something else.
Choice by_strategy(const core::Run& run, Strategy asked) {
  const Attempt& last = run.attempts.back();
  const auto made_by = strategy_of(last.output);
  if (made_by && prompt::is_regression(run)) return another_than(*made_by, last);
  return asked == Strategy::Hybrid ? by_scope(run) : Choice{asked, ""};
}

// Drops what there is nothing for.
Choice possible(const core::Run& run, Choice choice) {
  if (choice.strategy == Strategy::Regenerate) return choice;
  if (trim(run.find_best()->output.text).empty()) {
    return {Strategy::Regenerate, "the best output is blank"};
  }
  if (choice.strategy == Strategy::Incremental && next_issue(run) == nullptr) {
    return {Strategy::FullRewrite, "incremental: no issue to work on"};
  }
  return choice;
}

// The same with a text to start from.
Choice with_text(Choice choice, const std::string& policy) {
  if (choice.strategy != Strategy::Regenerate) return choice;
  return {Strategy::FullRewrite, "policy " + policy};
}

Choice choice_for(const core::Run& run, const RevisionOptions& options, Shows shows) {
  const std::string& policy = options.policy.name;
  switch (shows) {
    case Shows::AsStrategy:
      return by_strategy(run, options.strategy);
    case Shows::Nothing:
    case Shows::Advice:
      return {Strategy::Regenerate, "policy " + policy};
    case Shows::Reasons:
      if (is_repeat(run.attempts.back())) return {Strategy::Regenerate, "after a repeat"};
      return {Strategy::Regenerate, "policy " + policy};
    case Shows::BestText:
    case Shows::BestTextAndReasons:
    case Shows::All:
      return with_text(by_strategy(run, options.strategy), policy);
  }
  throw Error(ErrorKind::Internal, "a policy shows something unknown");
}

prompt::RevisionView view_for(const RevisionOptions& options, Shows shows) {
  prompt::RevisionView view;
  view.reflections = options.include_reflection_history;
  view.reasons = shows != Shows::BestText;
  view.faults = shows != Shows::Advice;
  if (shows == Shows::AsStrategy || shows == Shows::BestTextAndReasons) {
    view.versions = options.include_prior_versions;
  }
  if (shows == Shows::All) view.versions = std::nullopt;
  return view;
}

int times_found(const core::Run& run, const Issue& issue) {
  const std::string wanted = core::label(issue);
  const auto has_it = [&](const Attempt& attempt) {
    return !is_repeat(attempt) &&
           std::ranges::any_of(attempt.evaluation.issues,
                               [&](const Issue& other) { return core::label(other) == wanted; });
  };
  return static_cast<int>(std::ranges::count_if(run.attempts, has_it));
}

}  // namespace

Plan plan_revision(const core::Run& run, const RevisionOptions& options) {
  HONE_CHECK(!run.attempts.empty());
  const Shows shows = shown_after(run, options.policy);
  Choice choice = possible(run, choice_for(run, options, shows));
  Plan plan;
  plan.strategy = choice.strategy;
  plan.why = std::move(choice.why);
  plan.fresh = shows == Shows::Nothing;
  plan.view = view_for(options, shows);
  if (plan.strategy == Strategy::Incremental) plan.view.only = *next_issue(run);
  if (plan.strategy == options.strategy && !plan.fresh) plan.why.clear();
  return plan;
}

const Issue* next_issue(const core::Run& run) {
  const Issue* next = nullptr;
  std::pair<bool, int> best;
  for (const Issue& issue : run.find_best()->evaluation.issues) {
    const std::pair rank(issue.severity == core::Severity::Error, times_found(run, issue));
    if (next != nullptr && rank <= best) continue;
    next = &issue;
    best = rank;
  }
  return next;
}

std::optional<Strategy> strategy_of(const core::Output& output) {
  return strategy_from(output.strategy.substr(0, output.strategy.find(' ')));
}

}  // namespace hone::reflect
