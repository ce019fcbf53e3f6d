#include "hone/evaluate/asking.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/core/judged.h"

namespace hone::evaluate {
namespace {

constexpr double kTemperature = 0;
constexpr int kAsks = 2;
constexpr std::size_t kHashDigits = 12;

// What one call gave: a problem with the reply, or why there is none; neither if it was read.
struct Answer {
  std::string problem;
  std::string silence;
};

std::optional<std::string> problem_of(const core::ModelReply& reply) {
  if (reply.finish == core::Finish::Length) return "it was cut off at the token limit";
  if (reply.finish == core::Finish::Interrupted) return "it was interrupted";
  return std::nullopt;
}

core::ModelRequest request_for(const core::Context& context, const Question& question,
                               const std::string& problem) {
  prompt::Prompt prompt = question.prompt(problem);
  core::ModelRequest request;
  request.role = core::Role::Evaluate;
  request.attempt = context.attempt;
  request.messages = std::move(prompt.messages);
  request.prompt = std::move(prompt.identity);
  const std::string identity = request.prompt.hash + "\n" + question.identity;
  request.prompt.hash = sha256(identity).substr(0, kHashDigits);
  request.schema = question.schema;
  request.choices = question.choices;
  request.sampling = core::sampling_at(context, question.sampling);
  return request;
}

async<void> ask_once(core::Context context, core::Model& model, const Question& question,
                     Answer& answer) {
  const core::ModelRequest request = request_for(context, question, answer.problem);
  const core::ModelReply reply = co_await model.complete(std::move(context), request);
  const auto cut = problem_of(reply);
  answer.problem = (cut ? cut : question.read(reply)).value_or("");
}

// Notes a failure that leaves the output unjudged; throws any other.
void note(Answer& answer, const std::exception_ptr& failure, const core::Context& context,
          bool paid_before) {
  const Error error = to_error(failure);
  const bool out_of_money = error.kind() == ErrorKind::BudgetExhausted && paid_before;
  if (error.kind() == ErrorKind::Refused) {
    answer.problem = "it was refused";
  } else if (out_of_money || core::is_silence(context, error)) {
    answer.silence = error.message();
  } else {
    std::rethrow_exception(failure);
  }
}

}  // namespace

async<std::optional<std::string>> ask(core::Context context, core::Model& model,
                                      const Question& question) {
  Answer answer;
  for (int i = 1; i <= kAsks; ++i) {
    const core::Context below = context.at("ask", i);
    auto asking = ask_once(below, model, question, answer);
    const std::exception_ptr failure = co_await caught(std::move(asking));
    if (failure) note(answer, failure, below, i > 1 || question.paid_before);
    if (!answer.silence.empty()) {
      co_return fmt::format("the judge `{}` did not answer: {}", model.name(), answer.silence);
    }
    if (answer.problem.empty()) co_return std::nullopt;
  }
  co_return fmt::format("the judge `{}` gave no usable verdict, asked twice: {}", model.name(),
                        answer.problem);
}

core::Sampling judging(core::Sampling sampling, Tokens most) {
  if (!sampling.temperature) sampling.temperature = kTemperature;
  if (!sampling.max_tokens) sampling.max_tokens = most;
  return sampling;
}

core::Evaluation empty_output(const std::string& check) {
  core::Issue issue;
  issue.message = "the output is empty";
  issue.kind = "judge";
  issue.check = check;
  return core::failed(Score(0), {issue});
}

}  // namespace hone::evaluate
