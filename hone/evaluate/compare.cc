#include "hone/evaluate/compare.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/asking.h"
#include "hone/prompt/comparison.h"
#include "hone/prompt/judging.h"
#include "hone/prompt/templates.h"

namespace hone::evaluate {
namespace {

constexpr Tokens kMaxTokens{512};
constexpr std::size_t kHashDigits = 12;
constexpr double kTie = 0.5;

// The text of the best attempt that is another one; absent if there is none.
std::optional<std::string> prior_text(const core::Run& run, const core::Output& output) {
  const core::Attempt* best = nullptr;
  for (const core::Attempt& attempt : run.attempts) {
    const bool counts = attempt.output.finish == core::Finish::Complete &&
                        attempt.output.text != output.text && !trim(attempt.output.text).empty();
    if (!counts) continue;
    if (best == nullptr || core::compare(attempt.evaluation, best->evaluation) > 0) best = &attempt;
  }
  return best == nullptr ? std::nullopt : std::optional(best->output.text);
}

std::string_view words(prompt::Better better) {
  if (better == prompt::Better::Tie) return "neither";
  return better == prompt::Better::First ? "the first text" : "the second text";
}

core::Evaluation failed(Score score, std::string message, const std::string& check) {
  core::Issue issue;
  issue.kind = "compare";
  issue.check = check;
  issue.message = std::move(message);
  return core::failed(score, {std::move(issue)});
}

}  // namespace

// The two texts in one order.
struct CompareCheck::Matter {
  const core::Run& run;
  prompt::Pair texts;
  bool output_is_first = true;
};

// What one order gave.
struct CompareCheck::Opinion {
  prompt::Comparison said;
  std::optional<std::string> unjudged;
  // 1 for the output, -1 against it, 0 for neither.
  int favours_output = 0;
};

CompareCheck::CompareCheck(core::Model& model, CompareOptions options)
    : model_(model), options_(std::move(options)) {
  const auto* reference = std::get_if<Reference>(&options_.against);
  if (reference != nullptr && trim(reference->text).empty()) {
    throw Error(
        ErrorKind::InvalidInput,
        fmt::format("the check `{}` has nothing to compare with", options_.name),
        "give `reference` as a text or as file://NAME, or `with: prior` for the best attempt "
        "so far");
  }
  options_.sampling = judging(options_.sampling, kMaxTokens);
}

core::JudgeIdentity CompareCheck::identity() const {
  const auto* reference = std::get_if<Reference>(&options_.against);
  const std::string against = reference == nullptr ? "prior" : sha256(reference->text);
  return {model_.name(), sha256(sha256(options_.rubric) + against).substr(0, kHashDigits)};
}

core::Evaluation CompareCheck::tie(std::string reason) const {
  const std::string because = reason.empty() ? "" : ": " + reason;
  if (std::holds_alternative<Reference>(options_.against)) return core::passed(Score(kTie));
  return failed(Score(kTie), "it is no better than the best version so far" + because,
                options_.name);
}

core::Evaluation CompareCheck::conclude(const Opinion& first, const Opinion& second) const {
  for (const Opinion* opinion : {&first, &second}) {
    if (opinion->unjudged) return core::unknown(*opinion->unjudged);
  }
  if (first.favours_output != second.favours_output) {
    return core::unknown(fmt::format(
        "the judge `{}` changes its mind with the order of the texts: it prefers {}, then {}",
        model_.name(), words(first.said.better), words(second.said.better)));
  }
  const std::string& reason = first.said.reason.empty() ? second.said.reason : first.said.reason;
  core::Evaluation evaluation = core::passed();
  if (first.favours_output == 0) evaluation = tie(reason);
  if (first.favours_output < 0) {
    const bool is_prior = std::holds_alternative<PriorVersion>(options_.against);
    const std::string other = is_prior ? "the best version so far" : "the reference";
    const std::string because = reason.empty() ? "" : ": " + reason;
    evaluation =
        failed(Score(0), fmt::format("it is worse than {}{}", other, because), options_.name);
  }
  evaluation.interval = core::Interval{evaluation.score->value(), evaluation.score->value()};
  evaluation.samples = 2;
  return evaluation;
}

core::Evaluation CompareCheck::by_this_judge(core::Evaluation evaluation) const {
  evaluation.judge = identity();
  return evaluation;
}

async<CompareCheck::Opinion> CompareCheck::opinion(core::Context context, Matter matter) {
  Opinion opinion;
  const core::JudgeIdentity self = identity();
  Question question;
  question.prompt = [&](const std::string& problem) {
    return prompt::compare_prompt(matter.run, matter.texts, {options_.rubric, ""}, problem);
  };
  question.read = [&](const core::ModelReply& reply) -> std::optional<std::string> {
    const auto read = prompt::read_comparison(reply.text);
    if (const auto* unreadable = std::get_if<prompt::Unreadable>(&read)) return unreadable->problem;
    opinion.said = std::get<prompt::Comparison>(read);
    return std::nullopt;
  };
  question.schema = prompt::schema_named("compare");
  question.sampling = options_.sampling;
  question.identity = self.model + "\n" + self.rubric;
  question.paid_before = !matter.output_is_first;
  opinion.unjudged = co_await ask(std::move(context), model_, question);
  const bool is_first = opinion.said.better == prompt::Better::First;
  const int favour = is_first == matter.output_is_first ? 1 : -1;
  opinion.favours_output = opinion.said.better == prompt::Better::Tie ? 0 : favour;
  co_return opinion;
}

async<core::Evaluation> CompareCheck::evaluate(core::Context context, const core::Run& run,
                                               const core::Output& output) {
  if (trim(output.text).empty()) co_return empty_output(options_.name);
  const auto* reference = std::get_if<Reference>(&options_.against);
  const auto other = reference == nullptr ? prior_text(run, output) : reference->text;
  if (!other) co_return core::unknown("there is no other attempt to compare with yet");
  if (trim(*other) == trim(output.text)) co_return tie({});
  const Matter there{run, {output.text, *other}, true};
  auto asking = opinion(context.at("order", 1), there);
  const Opinion first = co_await std::move(asking);
  if (first.unjudged) co_return by_this_judge(conclude(first, first));
  const Matter back{run, {*other, output.text}, false};
  auto asking_again = opinion(context.at("order", 2), back);
  const Opinion second = co_await std::move(asking_again);
  co_return by_this_judge(conclude(first, second));
}

}  // namespace hone::evaluate
