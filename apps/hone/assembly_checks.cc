// The checks of an assembly that call a process or ask a model.
#include <utility>

#include "apps/hone/assembly.h"
#include "hone/evaluate/code_check.h"
#include "hone/evaluate/command.h"
#include "hone/evaluate/compare.h"
#include "hone/evaluate/criteria.h"
#include "hone/evaluate/judge.h"
#include "hone/evaluate/regex.h"
#include "hone/evaluate/tests_check.h"
#include "hone/model/spec.h"

namespace hone::app {

namespace {

// The embedded model shows its probabilities; of servers nobody knows before the first answer.
bool tells_probabilities(const std::string& spec) {
  return model::parse_spec(spec).provider == model::Provider::Local;
}

}  // namespace

std::unique_ptr<core::Evaluator> Assembly::make_command(const task::CommandCheck& check) {
  const evaluate::CommandOptions options{
      .run = check.run, .directory = file_.folder.string(), .timeout = check.timeout};
  return std::make_unique<evaluate::CommandCheck>(options, processes());
}

core::Runner& Assembly::processes() {
  return journaled_runner_ ? *journaled_runner_ : *system_runner_;
}

core::CodeRunner& Assembly::code() { return journaled_code_ ? *journaled_code_ : *options_.code; }

std::unique_ptr<core::Evaluator> Assembly::make_code(const task::CodeCheck& check) {
  evaluate::CodeOptions options;
  options.language = check.language;
  options.code = check.code;
  options.place = check.place;
  options.limits = check.limits;
  options.trusted = check.trusted;
  if (check.threshold) options.threshold = Score(*check.threshold);
  options.accept = Score(file_.accept_threshold);
  return std::make_unique<evaluate::CodeCheck>(std::move(options), code());
}

std::unique_ptr<core::Evaluator> Assembly::make_tests(const task::TestsCheck& check) {
  evaluate::TestsOptions options;
  options.tests = check.tests;
  options.setup = check.setup;
  options.language = check.language;
  options.command = check.command;
  options.directory = file_.folder.string();
  options.limits = check.limits;
  if (check.threshold) options.threshold = Score(*check.threshold);
  options.hidden = check.hidden;
  return std::make_unique<evaluate::TestsCheck>(std::move(options), code(), processes());
}

std::unique_ptr<core::Evaluator> Assembly::make_judge(const task::JudgeCheck& check) {
  evaluate::JudgeOptions options;
  options.rubric = check.rubric;
  options.threshold = Score(check.threshold.value_or(file_.accept_threshold));
  options.samples = check.samples;
  options.sequential = check.sequential;
  options.score = check.score;
  options.examples = check.examples;
  options.sampling = sampling_for(core::Role::Evaluate);
  options.tells_probabilities = tells_probabilities(spec_of(file_, core::Role::Evaluate));
  return std::make_unique<evaluate::Judge>(model_for(core::Role::Evaluate), options);
}

std::unique_ptr<core::Evaluator> Assembly::make_criteria(const task::CriteriaCheck& check) {
  std::vector<evaluate::Criterion> criteria;
  for (const task::CriterionEntry& entry : check.criteria) {
    evaluate::Criterion criterion;
    criterion.name = entry.name;
    criterion.description = entry.description;
    criterion.weight = entry.weight;
    if (entry.threshold) criterion.threshold = Score(*entry.threshold);
    if (entry.command) criterion.evaluator = make_command(*entry.command);
    if (entry.pattern) {
      criterion.evaluator = std::make_unique<evaluate::RegexCheck>(
          evaluate::RegexRules{.must = entry.pattern->must, .must_not = {}});
    }
    criteria.push_back(std::move(criterion));
  }
  if (criteria.empty()) criteria = evaluate::default_criteria(file_.task.type);
  evaluate::CriteriaOptions options;
  options.rubric = check.rubric;
  options.threshold = Score(check.threshold.value_or(file_.accept_threshold));
  options.sampling = sampling_for(core::Role::Evaluate);
  if (check.asks_a_model()) options.judge = &model_for(core::Role::Evaluate);
  return std::make_unique<evaluate::CriteriaCheck>(std::move(criteria), options);
}

std::unique_ptr<core::Evaluator> Assembly::make_compare(const task::CompareCheck& check) {
  evaluate::CompareOptions options;
  options.rubric = check.rubric;
  options.sampling = sampling_for(core::Role::Evaluate);
  if (check.reference) options.against = evaluate::Reference{*check.reference};
  return std::make_unique<evaluate::CompareCheck>(model_for(core::Role::Evaluate), options);
}

}  // namespace hone::app
