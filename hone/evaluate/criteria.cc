#include "hone/evaluate/criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/evaluate/asking.h"
#include "hone/prompt/criteria_reply.h"
#include "hone/prompt/judging.h"

namespace hone::evaluate {
namespace {

constexpr Tokens kMaxTokens{1024};
constexpr std::size_t kHashDigits = 12;

[[noreturn]] void refuse(const CriteriaOptions& options, const std::string& problem,
                         const std::string& hint) {
  throw Error(ErrorKind::InvalidInput, fmt::format("the check `{}` {}", options.name, problem),
              hint);
}

void check(const Criterion& criterion, const CriteriaOptions& options) {
  if (trim(criterion.name).empty()) {
    refuse(options, "has a criterion without a name", "give each a `name`, such as clarity");
  }
  if (!std::isfinite(criterion.weight) || criterion.weight <= 0) {
    refuse(options, fmt::format("gives `{}` the weight {}", criterion.name, criterion.weight),
           "give a weight above 0, or leave the criterion out");
  }
  if (criterion.evaluator == nullptr && options.judge == nullptr) {
    refuse(options, fmt::format("has no judge to score `{}`", criterion.name),
           "name a model for `evaluate`, or give the criterion a `pattern` or a command");
  }
}

void check(const std::vector<Criterion>& criteria, const CriteriaOptions& options) {
  if (criteria.empty())
    refuse(options, "has no criteria", "give a list of them, each with a `name`");
  std::set<std::string> keys;
  for (const Criterion& criterion : criteria) {
    check(criterion, options);
    if (keys.insert(prompt::criterion_key(criterion.name)).second) continue;
    refuse(options, fmt::format("has the criterion `{}` twice", criterion.name),
           "give each a name of its own");
  }
}

std::vector<prompt::CriterionText> texts_of(const std::vector<Criterion>& criteria) {
  std::vector<prompt::CriterionText> texts;
  for (const Criterion& criterion : criteria) {
    if (!criterion.evaluator) texts.push_back({criterion.name, criterion.description});
  }
  return texts;
}

// A schema that asks for a score by each name.
JsonText schema_for(const std::vector<std::string>& names) {
  const Json number{{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
  const Json one{{"type", "object"},
                 {"properties", {{"score", number}, {"reason", {{"type", "string"}}}}},
                 {"required", {"score", "reason"}},
                 {"additionalProperties", false}};
  Json criteria = Json::object();
  for (const std::string& name : names) criteria[name] = one;
  const Json texts{{"type", "array"}, {"items", {{"type", "string"}}}};
  const Json all{{"type", "object"},
                 {"properties", std::move(criteria)},
                 {"required", names},
                 {"additionalProperties", false}};
  const Json schema{{"type", "object"},
                    {"properties", {{"criteria", all}, {"suggestions", texts}}},
                    {"required", {"criteria", "suggestions"}},
                    {"additionalProperties", false}};
  return {dump(schema)};
}

// So that three times 0.8 gives 0.8.
double rounded(double score) {
  constexpr double kPrecision = 1e12;
  return std::round(score * kPrecision) / kPrecision;
}

core::Issue issue_of(const std::string& name, const prompt::CriterionScore& scored, Score wanted) {
  core::Issue issue;
  issue.kind = "criterion";
  issue.message = fmt::format("`{}` scores {} of at least {}{}{}", name, scored.score.value(),
                              wanted.value(), scored.reason.empty() ? "" : ": ", scored.reason);
  return issue;
}

std::string first_message(const core::Evaluation& evaluation) {
  return evaluation.issues.empty() ? std::string() : evaluation.issues.front().message;
}

}  // namespace

// What is known of the criteria so far.
struct CriteriaCheck::Findings {
  std::map<std::string, prompt::CriterionScore> scores;  // By name.
  std::vector<std::string> unknown;                      // Why some are not among them: sentences.
  std::vector<std::string> suggestions;
  core::Usage usage;

  void add(prompt::CriteriaReply reply, const std::string& judge) {
    for (auto& [name, score] : reply.scores) scores[name] = std::move(score);
    suggestions = std::move(reply.suggestions);
    for (const std::string& name : reply.unasked) {
      suggestions.push_back(fmt::format(
          "warning: the judge `{}` also scored `{}`, which nobody asked for; it does not count",
          judge, name));
    }
  }
};

CriteriaCheck::CriteriaCheck(std::vector<Criterion> criteria, CriteriaOptions options)
    : criteria_(std::move(criteria)), options_(std::move(options)) {
  check(criteria_, options_);
  options_.sampling = judging(options_.sampling, kMaxTokens);
}

CriteriaCheck::~CriteriaCheck() = default;

std::vector<std::string> CriteriaCheck::judged_names() const {
  std::vector<std::string> names;
  for (const auto& text : texts_of(criteria_)) names.push_back(text.name);
  return names;
}

core::JudgeIdentity CriteriaCheck::identity() const {
  const auto texts = texts_of(criteria_);
  if (texts.empty()) return {};
  std::string all = sha256(options_.rubric);
  for (const auto& text : texts) all += sha256(text.name) + sha256(text.description);
  return {options_.judge->name(), sha256(all).substr(0, kHashDigits)};
}

async<void> CriteriaCheck::score_by_evaluators(core::Context context, const core::Run& run,
                                               const core::Output& output, Findings& findings) {
  int number = 0;
  for (const Criterion& criterion : criteria_) {
    ++number;
    if (!criterion.evaluator) continue;
    const core::Context below = context.at("criterion", number);
    const core::Evaluation part = co_await criterion.evaluator->evaluate(below, run, output);
    findings.usage += part.usage;
    if (part.score) {
      findings.scores[criterion.name] = {*part.score, first_message(part)};
    } else {
      const std::string reason = part.error.value_or("it could not tell");
      findings.unknown.push_back(fmt::format("`{}`: {}", criterion.name, reason));
    }
  }
}

async<void> CriteriaCheck::score_by_judge(core::Context context, const core::Run& run,
                                          const core::Output& output, Findings& findings) {
  const std::vector<std::string> names = judged_names();
  if (names.empty()) co_return;
  const auto texts = texts_of(criteria_);
  const core::JudgeIdentity self = identity();
  Question question;
  question.prompt = [&](const std::string& problem) {
    return prompt::criteria_prompt(run, output, {options_.rubric, ""}, texts, problem);
  };
  question.read = [&](const core::ModelReply& reply) {
    prompt::CriteriaReply read = prompt::read_criteria(reply.text, names);
    const std::string problem = read.problem;
    findings.add(std::move(read), self.model);
    const auto is_known = [&](const std::string& name) { return findings.scores.contains(name); };
    const bool whole = std::ranges::all_of(names, is_known);
    return whole || problem.empty() ? std::optional<std::string>() : problem;
  };
  question.schema = schema_for(names);
  question.sampling = options_.sampling;
  question.identity = self.model + "\n" + self.rubric;
  const auto unjudged = co_await ask(std::move(context), *options_.judge, question);
  if (unjudged) findings.unknown.push_back(*unjudged);
}

Score CriteriaCheck::total(const Findings& findings) const {
  double sum = 0;
  double weights = 0;
  for (const Criterion& criterion : criteria_) {
    const auto known = findings.scores.find(criterion.name);
    if (known == findings.scores.end()) continue;
    sum += criterion.weight * known->second.score.value();
    weights += criterion.weight;
  }
  return Score(weights > 0 ? std::clamp(rounded(sum / weights), 0.0, 1.0) : 0.0);
}

// What the criterion had to reach and has not: its own threshold, or that of the whole if that is
// missed.
std::optional<Score> CriteriaCheck::missed(const Criterion& criterion, Score score,
                                           bool whole_is_low) const {
  if (criterion.threshold && score < *criterion.threshold) return criterion.threshold;
  if (whole_is_low && score < options_.threshold) return options_.threshold;
  return std::nullopt;
}

core::Evaluation CriteriaCheck::conclude(Findings findings) const {
  const Score score = total(findings);
  const bool is_low = findings.unknown.empty() && score < options_.threshold;
  core::Evaluation evaluation;
  for (const Criterion& criterion : criteria_) {
    const auto known = findings.scores.find(criterion.name);
    if (known == findings.scores.end()) continue;
    evaluation.criteria.emplace_back(criterion.name, known->second.score);
    if (const auto wanted = missed(criterion, known->second.score, is_low)) {
      evaluation.issues.push_back(issue_of(criterion.name, known->second, *wanted));
      evaluation.issues.back().check = options_.name;
    }
  }
  if (!judged_names().empty()) evaluation.judge = identity();
  evaluation.suggestions = std::move(findings.suggestions);
  evaluation.usage = findings.usage;
  if (evaluation.issues.empty() && !findings.unknown.empty()) {
    evaluation.error = join(findings.unknown, "; ");
    return evaluation;
  }
  evaluation.outcome = evaluation.issues.empty() ? core::Outcome::Passed : core::Outcome::Failed;
  evaluation.score = score;
  evaluation.interval = core::Interval{score.value(), score.value()};
  return evaluation;
}

async<core::Evaluation> CriteriaCheck::evaluate(core::Context context, const core::Run& run,
                                                const core::Output& output) {
  if (trim(output.text).empty()) co_return empty_output(options_.name);
  Findings findings;
  co_await score_by_evaluators(context, run, output, findings);
  co_await score_by_judge(context, run, output, findings);
  co_return conclude(std::move(findings));
}

std::vector<Criterion> default_criteria(std::string_view task_type) {
  std::vector<Criterion> criteria;
  for (auto& [name, description] : prompt::default_criteria_list(task_type)) {
    criteria.push_back(
        {.name = name, .description = description, .threshold = {}, .evaluator = {}});
  }
  return criteria;
}

}  // namespace hone::evaluate
