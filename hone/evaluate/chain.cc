#include "hone/evaluate/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/core/judged.h"
#include "hone/evaluate/combine.h"

namespace hone::evaluate {
namespace {

bool waits(const NamedCheck& check) { return check.is_judge && !check.always; }

std::vector<NamedCheck> waiting_last(std::vector<NamedCheck> checks) {
  std::vector<NamedCheck> ordered;
  for (const bool turn_of_waiting : {false, true}) {
    for (NamedCheck& check : checks) {
      if (waits(check) == turn_of_waiting) ordered.push_back(std::move(check));
    }
  }
  return ordered;
}

void make_names_unique(std::vector<NamedCheck>& checks) {
  std::set<std::string> taken;
  for (NamedCheck& check : checks) {
    const std::string name = check.name.empty() ? "check" : check.name;
    check.name = name;
    for (int i = 2; !taken.insert(check.name).second; ++i)
      check.name = fmt::format("{}-{}", name, i);
  }
}

// A name as one step of an effect's path.
std::string step_of(std::size_t index, std::string name) {
  std::ranges::replace(name, '/', '-');
  return fmt::format("{}-{}", index + 1, name);
}

async<void> evaluate_into(core::Evaluation& evaluation, core::Context context, const core::Run& run,
                          core::Evaluator& evaluator, const core::Output& output) {
  evaluation = co_await evaluator.evaluate(std::move(context), run, output);
}

// The evaluation of one check; unknown if it throws.
async<core::Evaluation> ask(core::Context context, const core::Run& run, core::Evaluator& evaluator,
                            const core::Output& output) {
  core::Evaluation evaluation;
  auto evaluating = evaluate_into(evaluation, context, run, evaluator, output);
  const std::exception_ptr failure = co_await caught(std::move(evaluating));
  if (!failure) co_return evaluation;
  const Error error = to_error(failure);
  if (core::ends_the_run(context, error)) std::rethrow_exception(failure);
  const std::string hint = error.hint().empty() ? "" : "; " + error.hint();
  co_return core::unknown(error.message() + hint);
}

}  // namespace

Chain::Chain(std::vector<NamedCheck> checks) : checks_(std::move(checks)) {
  if (checks_.empty()) {
    throw Error(ErrorKind::InvalidInput, "there is no check to ask", "give at least one");
  }
  for (const NamedCheck& check : checks_) HONE_CHECK(check.evaluator != nullptr);
  checks_ = waiting_last(std::move(checks_));
  make_names_unique(checks_);
}

async<core::Evaluation> Chain::evaluate(core::Context context, const core::Run& run,
                                        const core::Output& output) {
  std::vector<NamedEvaluation> ran;
  bool all_passed = true;
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    const NamedCheck& check = checks_[i];
    if (waits(check) && !all_passed) continue;
    NamedEvaluation part{check.name, {}};
    const core::Context below = context.at(step_of(i, check.name));
    part.evaluation = co_await ask(below, run, *check.evaluator, output);
    all_passed = all_passed && part.evaluation.outcome == core::Outcome::Passed;
    ran.push_back(std::move(part));
  }
  co_return combine(std::move(ran), checks_.size());
}

std::vector<std::string> Chain::names() const {
  std::vector<std::string> names;
  for (const NamedCheck& check : checks_) names.push_back(check.name);
  return names;
}

}  // namespace hone::evaluate
