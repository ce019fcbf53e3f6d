#include "hone/evaluate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/asking.h"
#include "hone/evaluate/samples.h"
#include "hone/evaluate/word_verdict.h"
#include "hone/prompt/criteria.h"
#include "hone/prompt/judging.h"
#include "hone/prompt/templates.h"
#include "hone/prompt/verdict.h"

namespace hone::evaluate {
namespace {

constexpr Tokens kMaxTokens{512};
constexpr std::size_t kHashDigits = 12;
constexpr int kFirstSamples = 2;  // That a sequential judge is always asked for.

void check_examples(const JudgeOptions& options) {
  int number = 0;
  for (const prompt::Example& example : options.examples) {
    ++number;
    if (!example.passed && !example.score) {
      throw Error(ErrorKind::InvalidInput,
                  fmt::format("example {} of the judge `{}` has no verdict", number, options.name),
                  "give `passed`, `score` or both");
    }
    const prompt::Verdict verdict{example.passed, example.score, example.reason, {}, {}, {}};
    const auto decided = prompt::decide(verdict, {options.threshold, options.name});
    if (const auto* contradiction = std::get_if<prompt::Unreadable>(&decided)) {
      throw Error(ErrorKind::InvalidInput,
                  fmt::format("example {} of the judge `{}` contradicts itself: {}", number,
                              options.name, contradiction->problem),
                  "let `passed` and `score` agree, or leave one of them out");
    }
  }
}

}  // namespace

// What is judged.
struct Judge::Matter {
  const core::Run& run;
  const core::Output& output;
  bool paid_before = false;  // An earlier call for this output has been paid for.
};

Judge::Judge(core::Model& model, JudgeOptions options)
    : model_(model), options_(std::move(options)) {
  if (options_.samples < 1) {
    throw Error(ErrorKind::InvalidInput, fmt::format("a judge needs samples: {}", options_.samples),
                "give `samples` as 1 or more");
  }
  check_examples(options_);
  options_.sampling = judging(options_.sampling, kMaxTokens);
  rubric_hash_ = rubric_hash();
}

bool Judge::asks_for_a_word() const {
  return options_.score == ScoreFrom::Probability ||
         (options_.score == ScoreFrom::Auto && options_.tells_probabilities);
}

core::JudgeIdentity Judge::identity() const { return {model_.name(), rubric_hash_}; }

std::string Judge::rubric_hash() const {
  std::string all = fmt::format("{}\n{}\n{}\n{}", options_.threshold.value(), asks_for_a_word(),
                                sha256(options_.rubric), sha256(options_.criteria));
  for (const prompt::Example& example : options_.examples) {
    all += "\n" + sha256(example.output) + sha256(prompt::verdict_line(example));
  }
  return sha256(all).substr(0, kHashDigits);
}

prompt::Prompt Judge::prompt_for(const Matter& matter, const std::string& problem) const {
  const auto& [run, output, paid_before] = matter;
  prompt::Rubric rubric{options_.rubric, options_.criteria, options_.examples};
  if (rubric.text.empty() && rubric.criteria.empty()) {
    rubric.criteria = prompt::default_criteria(run.task.type);
  }
  if (asks_for_a_word()) return prompt::judge_word_prompt(run, output, rubric, problem);
  return problem.empty() ? prompt::judge_prompt(run, output, rubric)
                         : prompt::judge_again_prompt(run, output, rubric, problem);
}

std::optional<std::string> Judge::read(const core::ModelReply& reply,
                                       core::Evaluation& evaluation) const {
  auto verdict = asks_for_a_word() ? read_word_verdict(reply) : prompt::read_verdict(reply.text);
  if (const auto* unreadable = std::get_if<prompt::Unreadable>(&verdict)) {
    return unreadable->problem;
  }
  const prompt::Ruling ruling{options_.threshold, options_.name};
  auto decided = prompt::decide(std::get<prompt::Verdict>(verdict), ruling);
  if (const auto* contradiction = std::get_if<prompt::Unreadable>(&decided)) {
    return contradiction->problem;
  }
  evaluation = std::get<core::Evaluation>(std::move(decided));
  return std::nullopt;
}

Question Judge::question_about(const Matter& matter, core::Evaluation& evaluation) const {
  const core::JudgeIdentity self = identity();
  Question question;
  question.prompt = [&](const std::string& problem) { return prompt_for(matter, problem); };
  question.read = [&](const core::ModelReply& reply) { return read(reply, evaluation); };
  if (asks_for_a_word()) {
    question.choices = {"yes", "no"};
  } else {
    question.schema = prompt::schema_named("verdict");
  }
  question.sampling = options_.sampling;
  question.identity = self.model + "\n" + self.rubric;
  question.paid_before = matter.paid_before;
  return question;
}

async<core::Evaluation> Judge::sample(core::Context context, Matter matter) {
  core::Evaluation evaluation;
  const Question question = question_about(matter, evaluation);
  const auto unjudged = co_await ask(std::move(context), model_, question);
  if (unjudged) evaluation = core::unknown(*unjudged);
  co_return evaluation;
}

bool Judge::goes_on(const std::vector<core::Evaluation>& samples) const {
  const auto asked = static_cast<int>(samples.size());
  if (asked >= options_.samples) return false;
  return !options_.sequential || asked < kFirstSamples || straddles(samples, options_.threshold);
}

async<core::Evaluation> Judge::evaluate(core::Context context, const core::Run& run,
                                        const core::Output& output) {
  if (trim(output.text).empty()) co_return empty_output(options_.name);
  std::vector<core::Evaluation> samples;
  while (goes_on(samples)) {
    const int number = static_cast<int>(samples.size()) + 1;
    const core::Context below = options_.samples == 1 ? context : context.at("sample", number);
    const Matter matter{run, output, number > 1};
    auto sampling = sample(below, matter);
    core::Evaluation evaluation = co_await std::move(sampling);
    samples.push_back(std::move(evaluation));
  }
  core::Evaluation whole = combined(std::move(samples), options_.threshold);
  whole.judge = identity();
  co_return whole;
}

}  // namespace hone::evaluate
