#include "hone/evaluate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "hone/async/cancel.h"
#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/criteria.h"
#include "hone/prompt/templates.h"
#include "hone/prompt/verdict.h"

namespace hone::evaluate {
namespace {

constexpr double kTemperature = 0;
constexpr Tokens kMaxTokens{512};
constexpr int kAsks = 2;
// Providers keep seeds in 32 bits with a sign, or in doubles.
constexpr std::uint64_t kSeedBits = 0x7fffffff;
constexpr std::size_t kHashDigits = 12;

core::Evaluation empty_output(const std::string& check) {
  core::Issue issue;
  issue.message = "the output is empty";
  issue.kind = "judge";
  issue.check = check;
  return core::failed(Score(0), {issue});
}

bool is_late(const core::Context& context) {
  return context.deadline && context.clock->now() >= *context.deadline;
}

// A model that does not answer leaves the output unjudged; the rest is for the caller.
bool is_silence(const core::Context& context, const Error& error) {
  return error.kind() == ErrorKind::Unavailable || error.kind() == ErrorKind::Overloaded ||
         (error.kind() == ErrorKind::DeadlineExceeded && !is_late(context));
}

std::optional<std::string> problem_of(const core::ModelReply& reply) {
  if (reply.finish == core::Finish::Length) return "it was cut off at the token limit";
  if (reply.finish == core::Finish::Interrupted) return "it was interrupted";
  return std::nullopt;
}

bool is_known(const core::Evaluation& evaluation) {
  return evaluation.outcome != core::Outcome::Unknown;
}

void merge_texts(core::Evaluation& whole, const core::Evaluation& part) {
  for (const core::Issue& issue : part.issues) {
    if (std::ranges::find(whole.issues, issue) == whole.issues.end()) whole.issues.push_back(issue);
  }
  for (const std::string& suggestion : part.suggestions) {
    const auto& all = whole.suggestions;
    if (std::ranges::find(all, suggestion) == all.end()) whole.suggestions.push_back(suggestion);
  }
}

// So that three times 0.8 gives 0.8.
double rounded(double score) {
  constexpr double kPrecision = 1e12;
  return std::round(score * kPrecision) / kPrecision;
}

// One evaluation from those of several samples, all of them known.
core::Evaluation mean_of(const std::vector<core::Evaluation>& samples, Score threshold) {
  double sum = 0;
  std::size_t passes = 0;
  core::Interval interval{1, 0};
  for (const core::Evaluation& sample : samples) {
    HONE_CHECK(sample.score);
    const double score = sample.score->value();
    sum += score;
    passes += sample.outcome == core::Outcome::Passed ? 1 : 0;
    interval = {std::min(interval.low, score), std::max(interval.high, score)};
  }
  const Score mean(rounded(sum / static_cast<double>(samples.size())));
  const bool passed = mean >= threshold && 2 * passes > samples.size();
  core::Evaluation whole = passed ? core::passed(mean) : core::failed(mean, {});
  whole.interval = interval;
  whole.samples = static_cast<int>(samples.size());
  for (const core::Evaluation& sample : samples) {
    if (sample.outcome == whole.outcome) merge_texts(whole, sample);
  }
  return whole;
}

core::Evaluation combined(std::vector<core::Evaluation> samples, Score threshold) {
  if (samples.size() == 1) return std::move(samples.front());
  std::vector<core::Evaluation> known;
  std::ranges::copy_if(samples, std::back_inserter(known), is_known);
  return known.empty() ? std::move(samples.front()) : mean_of(known, threshold);
}

}  // namespace

// What one call gave: an evaluation, or the problem with the reply.
struct Judge::Answer {
  std::optional<core::Evaluation> evaluation;
  std::string problem;
};

// What is judged.
struct Judge::Matter {
  const core::Run& run;
  const core::Output& output;
  bool paid_before = false;  // An earlier call for this output has been paid for.
};

struct Judge::Question {
  prompt::Prompt prompt;
  bool paid_before = false;
};

Judge::Judge(core::Model& model, JudgeOptions options)
    : model_(model), options_(std::move(options)) {
  if (options_.samples < 1) {
    throw Error(ErrorKind::InvalidInput, fmt::format("a judge needs samples: {}", options_.samples),
                "give `samples` as 1 or more");
  }
  core::Sampling& sampling = options_.sampling;
  if (!sampling.temperature) sampling.temperature = kTemperature;
  if (!sampling.max_tokens) sampling.max_tokens = kMaxTokens;
}

prompt::Prompt Judge::prompt_for(const Matter& matter, const std::string& problem) const {
  const auto& [run, output, paid_before] = matter;
  prompt::Rubric rubric{options_.rubric, options_.criteria};
  if (rubric.text.empty() && rubric.criteria.empty()) {
    rubric.criteria = prompt::default_criteria(run.task.type);
  }
  prompt::Prompt prompt = problem.empty()
                              ? prompt::judge_prompt(run, output, rubric)
                              : prompt::judge_again_prompt(run, output, rubric, problem);
  const std::string identity =
      fmt::format("{}\n{}\n{}\n{}\n{}", prompt.identity.hash, model_.name(),
                  options_.threshold.value(), sha256(rubric.text), sha256(rubric.criteria));
  prompt.identity.hash = sha256(identity).substr(0, kHashDigits);
  return prompt;
}

core::ModelRequest Judge::request(const core::Context& context, const Question& question) const {
  core::ModelRequest request;
  request.role = core::Role::Evaluate;
  request.attempt = context.attempt;
  request.messages = question.prompt.messages;
  request.prompt = question.prompt.identity;
  request.schema = prompt::schema_named("verdict");
  request.sampling = options_.sampling;
  if (request.sampling.seed) {
    request.sampling.seed = context.seed(*request.sampling.seed) & kSeedBits;
  }
  return request;
}

Judge::Answer Judge::read(const core::ModelReply& reply) const {
  if (const auto problem = problem_of(reply)) return {{}, *problem};
  auto verdict = prompt::read_verdict(reply.text);
  if (const auto* unreadable = std::get_if<prompt::Unreadable>(&verdict)) {
    return {{}, unreadable->problem};
  }
  const prompt::Ruling ruling{options_.threshold, options_.name};
  auto decided = prompt::decide(std::get<prompt::Verdict>(verdict), ruling);
  if (const auto* contradiction = std::get_if<prompt::Unreadable>(&decided)) {
    return {{}, contradiction->problem};
  }
  return {std::get<core::Evaluation>(std::move(decided)), {}};
}

async<void> Judge::ask(core::Context context, const Question& question, Answer& answer) {
  const core::ModelRequest asked = request(context, question);
  const core::ModelReply reply = co_await model_.complete(std::move(context), asked);
  answer = read(reply);
}

async<Judge::Answer> Judge::answer(core::Context context, Question question) {
  Answer answer;
  const std::exception_ptr failure = co_await caught(ask(context, question, answer));
  if (!failure) co_return answer;
  const Error error = to_error(failure);
  const bool out_of_money = error.kind() == ErrorKind::BudgetExhausted && question.paid_before;
  if (error.kind() == ErrorKind::Refused) {
    answer.problem = "it was refused";
  } else if (out_of_money || is_silence(context, error)) {
    answer.evaluation = core::unknown(
        fmt::format("the judge `{}` did not answer: {}", model_.name(), error.message()));
  } else {
    std::rethrow_exception(failure);
  }
  co_return answer;
}

async<core::Evaluation> Judge::sample(core::Context context, Matter matter) {
  Answer answer;
  for (int ask = 1; ask <= kAsks; ++ask) {
    Question question{prompt_for(matter, answer.problem), ask > 1 || matter.paid_before};
    auto answering = this->answer(context.at("ask", ask), std::move(question));
    answer = co_await std::move(answering);
    if (answer.evaluation) co_return *std::move(answer.evaluation);
  }
  co_return core::unknown(fmt::format("the judge `{}` gave no usable verdict, asked twice: {}",
                                      model_.name(), answer.problem));
}

async<core::Evaluation> Judge::evaluate(core::Context context, const core::Run& run,
                                        const core::Output& output) {
  if (trim(output.text).empty()) co_return empty_output(options_.name);
  std::vector<core::Evaluation> samples;
  for (int k = 1; k <= options_.samples; ++k) {
    const core::Context below = options_.samples == 1 ? context : context.at("sample", k);
    const Matter matter{run, output, k > 1};
    auto sampling = sample(below, matter);
    core::Evaluation evaluation = co_await std::move(sampling);
    samples.push_back(std::move(evaluation));
  }
  co_return combined(std::move(samples), options_.threshold);
}

}  // namespace hone::evaluate
