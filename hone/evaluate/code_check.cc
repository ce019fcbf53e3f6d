#include "hone/evaluate/code_check.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/verdict.h"

namespace hone::evaluate {
namespace {

using core::CodeEnd;
using core::CodeResult;

constexpr std::size_t kMessageColumns = 1000;
const Score kBareNumber{0.5};

// "task.yaml:7:15: " of a place in the code.
std::string place_of(const CodeResult& result, const CodePlace& place) {
  if (!result.line) return place.file.empty() ? "" : place.file + ": ";
  const int line = place.line + *result.line - 1;
  const std::string file = place.file.empty() ? "line " : place.file + ":";
  if (!result.column) return fmt::format("{}{}: ", file, line);
  return fmt::format("{}{}:{}: ", file, line, place.column + *result.column - 1);
}

std::string problem_of(const CodeResult& result, const CodeOptions& options) {
  const std::string message = one_line(result.message, kMessageColumns);
  switch (result.end) {
    case CodeEnd::Returned:
      return message.empty()
                 ? "it returned nothing; return true or false, a number from 0 to 1, or "
                   "a mapping with `valid` or `score`"
                 : "it returned " + message;
    case CodeEnd::TimedOut:
      return fmt::format("it did not end within {}; give it a longer `timeout`",
                         show_duration(options.limits.timeout));
    case CodeEnd::TooLong:
      return fmt::format("what it returned is longer than {} bytes", options.limits.output);
    default:
      return message.empty() ? "it failed and said nothing" : message;
  }
}

core::Evaluation not_judged(const CodeResult& result, const CodeOptions& options,
                            std::string_view problem) {
  return core::unknown(fmt::format("{}the {} check: {}", place_of(result, options.place),
                                   core::to_string(options.language), problem));
}

core::Evaluation failure(const CodeOptions& options, Score score, std::string message) {
  core::Issue issue;
  issue.message = std::move(message);
  issue.kind = core::to_string(options.language);
  return core::failed(score, {std::move(issue)});
}

core::Evaluation of_number(const CodeResult& result, double number, const CodeOptions& options) {
  const auto score = Score::in_range(number);
  if (!score) {
    return not_judged(result, options,
                      fmt::format("it returned {}, and a score is from 0 to 1", number));
  }
  const Score threshold = options.threshold.value_or(kBareNumber);
  if (score->value() >= threshold.value()) return core::passed(*score);
  return failure(options, *score,
                 fmt::format("the score {} is below {}", number, threshold.value()));
}

core::Evaluation of_mapping(const CodeResult& result, const Json& value,
                            const CodeOptions& options) {
  const auto verdict = prompt::read_verdict(value);
  if (const auto* unreadable = std::get_if<prompt::Unreadable>(&verdict)) {
    return not_judged(result, options, "it returned a mapping, but " + unreadable->problem);
  }
  const prompt::Ruling ruling{options.threshold.value_or(options.accept), ""};
  auto decided = prompt::decide(std::get<prompt::Verdict>(verdict), ruling);
  if (const auto* unreadable = std::get_if<prompt::Unreadable>(&decided)) {
    return not_judged(result, options, "it returned a mapping, but " + unreadable->problem);
  }
  auto evaluation = std::get<core::Evaluation>(std::move(decided));
  for (core::Issue& issue : evaluation.issues) issue.kind = core::to_string(options.language);
  return evaluation;
}

core::Evaluation of_value(const CodeResult& result, const Json& value, const CodeOptions& options) {
  if (value.is_boolean() && value.get<bool>()) return core::passed();
  if (value.is_boolean()) {
    return failure(options, Score(0.0),
                   fmt::format("the {} check says no", core::to_string(options.language)));
  }
  if (value.is_number()) return of_number(result, value.get<double>(), options);
  if (value.is_object()) return of_mapping(result, value, options);
  return not_judged(
      result, options,
      fmt::format("it returned {}, which is no verdict; return true or false, a number from 0 to "
                  "1, or a mapping with `valid` or `score`",
                  value.is_string() ? "a text" : (value.is_array() ? "a list" : "null")));
}

Json json_of(const core::Issue& issue) {
  Json json = {{"message", issue.message}, {"path", issue.path}, {"kind", issue.kind}};
  if (issue.line) json["line"] = *issue.line;
  return json;
}

Json json_of(const std::vector<core::Issue>& issues) {
  Json json = Json::array();
  for (const core::Issue& issue : issues) json.push_back(json_of(issue));
  return json;
}

Json json_of(const core::Attempt& attempt) {
  const core::Evaluation& evaluation = attempt.evaluation;
  Json json = {{"iteration", attempt.number},
               {"output", attempt.output.text},
               {"score", nullptr},
               {"valid", evaluation.outcome == core::Outcome::Passed},
               {"errors", json_of(evaluation.issues)}};
  if (evaluation.score) json["score"] = evaluation.score->value();
  return json;
}

Json state_of(const core::Run& run) {
  if (!run.task.input) return Json::object();
  Json input = parse_json(run.task.input->text);
  if (input.is_object()) return input;
  return {{"input", std::move(input)}};
}

}  // namespace

JsonText variables_for(const core::Run& run, const core::Output& output, int attempt) {
  Json engine = {{"output", output.text},
                 {"reflection_output", output.text},
                 {"reflection_errors", Json::array()},
                 {"reflection_iteration", attempt},
                 {"reflection_history", Json::array()}};
  for (const core::Attempt& earlier : run.attempts) {
    engine["reflection_history"].push_back(json_of(earlier));
    engine["reflection_errors"] = json_of(earlier.evaluation.issues);
  }
  // Input has no key that takes the place of one of these.
  Json state = state_of(run);
  for (const auto& [name, value] : engine.items()) state[name] = value;
  engine["state"] = std::move(state);
  return JsonText{dump(engine)};
}

core::Evaluation evaluation_of(const CodeResult& result, const CodeOptions& options) {
  const auto value = result.value ? try_parse_json(result.value->text) : std::optional<Json>();
  if (result.end == CodeEnd::Returned && value) return of_value(result, *value, options);
  return not_judged(result, options, problem_of(result, options));
}

CodeCheck::CodeCheck(CodeOptions options, core::CodeRunner& runner)
    : options_(std::move(options)), runner_(runner) {
  if (!trim(options_.code).empty()) return;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("the check `{}` has no code", core::to_string(options_.language)),
              "give `run`");
}

async<core::Evaluation> CodeCheck::evaluate(core::Context context, const core::Run& run,
                                            const core::Output& output) {
  core::CodeRequest request;
  request.language = options_.language;
  request.code = options_.code;
  request.variables = variables_for(run, output, context.attempt);
  request.limits = options_.limits;
  request.trusted = options_.trusted;
  const core::CodeResult result = co_await runner_.run(context.at("run"), request);
  co_return evaluation_of(result, options_);
}

}  // namespace hone::evaluate
