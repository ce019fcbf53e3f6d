// What users see: the published contract of results and evaluations.
#include <nlohmann/json.hpp>

#include "hone/base/text.h"
#include "hone/core/json_form.h"

namespace hone::core {
namespace {

constexpr std::array kShownRoles{Role::Generate, Role::Evaluate, Role::Reflect, Role::Revise};

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json score_json(const std::optional<Score>& score) {
  return score ? Json(score->value()) : Json(nullptr);
}

Json usd_json(const std::optional<Usd>& usd) { return usd ? Json(usd->amount) : Json(nullptr); }

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json(nullptr);
}

Json check_json(const CheckResult& check) {
  Json json = {{"name", check.name},
               {"outcome", to_string(check.outcome)},
               {"score", score_json(check.score)}};
  if (check.judge) json["judge"] = {{"model", check.judge->model}, {"rubric", check.judge->rubric}};
  return json;
}

Json issue_json(const Issue& issue) {
  return {{"path", issue.path}, {"dotted", dotted_path(issue.path)},     {"message", issue.message},
          {"kind", issue.kind}, {"severity", to_string(issue.severity)}, {"check", issue.check}};
}

template <class Items, class Form>
Json array_of(const Items& items, Form form) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(form(item));
  return array;
}

Json criteria_json(const Evaluation& evaluation) {
  Json criteria = Json::object();
  // Names that differ in invalid bytes only would be printed as one key, twice.
  for (const auto& [name, score] : evaluation.criteria) criteria[to_utf8(name)] = score.value();
  return criteria;
}

Json reflection_json(const std::optional<Reflection>& reflection) {
  if (!reflection) return nullptr;
  return {{"text", reflection->text},
          {"what_happened", reflection->what_happened},
          {"what_went_wrong", reflection->what_went_wrong},
          {"why", reflection->why},
          {"do_differently", reflection->do_differently},
          {"rule", reflection->rule}};
}

Json changes_json(const Changes& changes) {
  return {{"resolved", changes.resolved},
          {"carried", changes.carried},
          {"new", changes.added},
          {"resurfaced", changes.resurfaced}};
}

Json lesson_json(const Lesson& lesson) { return {{"id", lesson.id}, {"text", lesson.text}}; }

// A value where a schema check read one, else the text as it came.
Json output_json(const Attempt& attempt) {
  const auto& value = attempt.evaluation.value;
  if (!value) return attempt.output.text;
  return parse_json(value->text);
}

Json calls_json(const Usage& usage) {
  return {{"calls", usage.calls},
          {"input_tokens", usage.input.count},
          {"output_tokens", usage.output.count},
          {"cached_tokens", usage.cached.count},
          {"usd", usd_json(usage.usd)}};
}

Json usage_json(const UsageByRole& usage) {
  Json json = Json::object();
  for (const Role role : kShownRoles) json[std::string(to_string(role))] = calls_json(usage[role]);
  if (usage[Role::Embed].calls > 0) json["embed"] = calls_json(usage[Role::Embed]);
  json["total"] = calls_json(usage.total());
  return json;
}

Json models_json(const Run& run, ModelNames models) {
  for (const Attempt& attempt : run.attempts) {
    const Role role = attempt.number == 1 ? Role::Generate : Role::Revise;
    if (!attempt.output.model.empty()) models.try_emplace(role, attempt.output.model);
  }
  Json json = Json::object();
  for (const auto& [role, name] : models) json[std::string(to_string(role))] = name;
  return json;
}

Json stop_json(const std::optional<Stop>& stop) {
  if (!stop) return nullptr;
  return {{"reason", to_string(stop->reason)}, {"detail", stop->detail}};
}

}  // namespace

Json to_json(const Evaluation& evaluation) {
  return {{"outcome", to_string(evaluation.outcome)},
          {"score", score_json(evaluation.score)},
          {"interval", interval_json(evaluation.interval)},
          {"samples", evaluation.samples},
          {"confidence", or_null(evaluation.confidence)},
          {"checks", array_of(evaluation.checks, check_json)},
          {"criteria", criteria_json(evaluation)},
          {"issues", array_of(evaluation.issues, issue_json)},
          {"suggestions", evaluation.suggestions},
          {"error", or_null(evaluation.error)}};
}

Json to_json(const Usage& usage) {
  return {{"input_tokens", usage.input.count},
          {"output_tokens", usage.output.count},
          {"cached_tokens", usage.cached.count},
          {"usd", usd_json(usage.usd)},
          {"estimated", usage.estimated}};
}

Json to_json(const Attempt& attempt) {
  return {{"number", attempt.number},
          {"output", output_json(attempt)},
          {"finish", to_string(attempt.output.finish)},
          {"duplicate_of", or_null(attempt.duplicate_of)},
          {"evaluation", to_json(attempt.evaluation)},
          {"reflection", reflection_json(attempt.reflection)},
          {"changes", changes_json(attempt.changes)},
          {"usage", to_json(attempt.usage.total())},
          {"seconds", to_seconds(attempt.finished - attempt.started)}};
}

Json to_json(const Error& error) {
  const Json body = {
      {"kind", to_string(error.kind())}, {"message", error.message()}, {"hint", error.hint()}};
  return {{"format", 1}, {"error", body}};
}

Json to_json(const Run& run, const ModelNames& models) {
  const Attempt* selected = run.find_selected();
  const Json lessons = {{"recalled", array_of(run.recalled, lesson_json)},
                        {"learned", array_of(run.learned, lesson_json)}};
  const auto attempt_json = [](const Attempt& attempt) { return to_json(attempt); };
  return {{"format", 1},
          {"run", run.id},
          {"task", run.task.name},
          {"model", models_json(run, models)},
          {"success", run.accepted()},
          {"stop", stop_json(run.stop)},
          {"selected", or_null(run.selected)},
          {"output", selected == nullptr ? Json(nullptr) : output_json(*selected)},
          {"evaluation", selected == nullptr ? Json(nullptr) : to_json(selected->evaluation)},
          {"attempts", array_of(run.attempts, attempt_json)},
          {"lessons", lessons},
          {"usage", usage_json(run.usage)},
          {"seconds", to_seconds(run.finished - run.started)}};
}

namespace {

// Adds what a stream shows of each kind of event.
class Streaming {
 public:
  Streaming(Json& json, Instant at) : json_(json), at_(at) {}

  void operator()(const RunStarted& event) { json_["task"] = event.task.name; }
  void operator()(const LessonsRecalled& event) {
    json_["lessons"] = array_of(event.lessons, lesson_json);
  }
  void operator()(const AttemptStarted& event) { json_["attempt"] = event.number; }
  void operator()(const Draft& event) {
    json_["attempt"] = event.attempt;
    json_["text"] = event.text;
  }
  void operator()(const Evaluated& event) {
    Attempt attempt = event.attempt;
    attempt.finished = at_;
    json_["attempt"] = attempt.number;
    const Json shown = to_json(attempt);
    for (const auto& [name, member] : shown.items()) {
      if (name != "number" && name != "reflection") json_[name] = member;
    }
  }
  void operator()(const Retracted& event) {
    json_["attempt"] = event.attempt;
    json_["reason"] = event.reason;
  }
  void operator()(const Reflected& event) {
    json_["attempt"] = event.attempt;
    json_["reflection"] = reflection_json(event.reflection);
  }
  void operator()(const Reevaluated& event) {
    json_["attempt"] = event.attempt;
    json_["evaluation"] = to_json(event.evaluation);
  }
  void operator()(const BudgetWarning& event) { json_["detail"] = event.detail; }
  void operator()(const LessonLearned& event) { json_["lesson"] = lesson_json(event.lesson); }
  void operator()(const Stopped& event) {
    json_["reason"] = to_string(event.stop.reason);
    json_["detail"] = event.stop.detail;
    json_["selected"] = or_null(event.selected);
  }
  void operator()(const Committed& event) {
    json_["attempt"] = event.attempt;
    json_["text"] = event.text;
  }
  void operator()(const RunFinished& event) { json_["usage"] = usage_json(event.usage); }

 private:
  Json& json_;
  Instant at_;
};

}  // namespace

Json stream_json(const Event& event, const std::string& run, Instant at, std::int64_t sequence) {
  Json json = {
      {"event", name_of(event)}, {"run", run}, {"at", to_iso8601(at)}, {"sequence", sequence}};
  std::visit(Streaming(json, at), event);
  return json;
}

}  // namespace hone::core
