// Reads events back from the form in which the journal keeps them.
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/core/json_form.h"
#include "hone/core/json_form_reader.h"

namespace hone::core {
namespace {

std::optional<Severity> severity_from(std::string_view text) {
  if (text == to_string(Severity::Error)) return Severity::Error;
  if (text == to_string(Severity::Warning)) return Severity::Warning;
  return std::nullopt;
}

// A score out of range is damage, like anything else that cannot be read.
std::optional<Score> score_from(std::optional<double> number, std::string_view member) {
  if (!number) return std::nullopt;
  const auto score = Score::in_range(*number);
  if (!score) JsonReader::fail(member);
  return score;
}

Lesson read_lesson(const JsonReader& json) { return {json.text("id"), json.text("text")}; }

std::vector<Lesson> read_lessons(const JsonReader& json, std::string_view name) {
  std::vector<Lesson> lessons;
  for (const Json* element : json.elements(name))
    lessons.push_back(read_lesson(JsonReader(*element)));
  return lessons;
}

std::vector<std::string> read_texts(const JsonReader& json, std::string_view name) {
  std::vector<std::string> texts;
  for (const Json* element : json.elements(name)) texts.push_back(text_from_json(*element, name));
  return texts;
}

UsageByRole read_usage_by_role(const JsonReader& json) {
  UsageByRole usage;
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    if (const Json* member = json.find(to_string(role))) usage[role] = usage_from_json(*member);
  }
  return usage;
}

Output read_output(const JsonReader& json) {
  return {json.text("text"), json.word("finish", finish_from, Finish::Complete), json.text("model"),
          json.text("strategy")};
}

Reflection read_reflection(const JsonReader& json) {
  return {json.text("text"),      json.text("what_happened"),  json.text("what_went_wrong"),
          json.text("why"),       json.text("do_differently"), json.text("rule"),
          json.text("principle"), json.text("procedure")};
}

std::optional<JudgeIdentity> read_judge(const JsonReader& json) {
  const Json* member = json.find("judge");
  if (member == nullptr) return std::nullopt;
  const JsonReader judge(*member);
  return JudgeIdentity{judge.text("model"), judge.text("rubric")};
}

CheckResult read_check(const JsonReader& json) {
  return {json.text("name"), json.word("outcome", outcome_from, Outcome::Unknown),
          score_from(json.number("score"), "score"), read_judge(json)};
}

Issue read_issue(const JsonReader& json) {
  Issue issue;
  issue.path = json.text("path");
  issue.line = json.optional_int("line");
  issue.message = json.text("message");
  issue.kind = json.text("kind");
  issue.severity = json.word("severity", severity_from, Severity::Error);
  issue.check = json.text("check");
  return issue;
}

double read_number(const Json& json, std::string_view member) {
  if (!json.is_number()) JsonReader::fail(member);
  return json.get<double>();
}

std::optional<Interval> read_interval(const JsonReader& json) {
  const auto bounds = json.elements("interval");
  if (bounds.empty()) return std::nullopt;
  if (bounds.size() != 2) JsonReader::fail("interval");
  return Interval{read_number(*bounds[0], "interval"), read_number(*bounds[1], "interval")};
}

std::pair<std::string, Score> read_criterion(const Json& json) {
  if (!json.is_array() || json.size() != 2) JsonReader::fail("criteria");
  return {text_from_json(json[0], "criteria"),
          *score_from(read_number(json[1], "criteria"), "criteria")};
}

std::optional<JsonText> read_json_text(const JsonReader& json, std::string_view name) {
  auto text = json.optional_text(name);
  if (!text) return std::nullopt;
  return JsonText{*std::move(text)};
}

Evaluation read_evaluation(const JsonReader& json) {
  Evaluation evaluation;
  evaluation.outcome = json.word("outcome", outcome_from, Outcome::Unknown);
  evaluation.score = score_from(json.number("score"), "score");
  evaluation.interval = read_interval(json);
  evaluation.samples = json.small("samples");
  evaluation.confidence = json.number("confidence");
  for (const Json* check : json.elements("checks")) {
    evaluation.checks.push_back(read_check(JsonReader(*check)));
  }
  for (const Json* criterion : json.elements("criteria")) {
    evaluation.criteria.push_back(read_criterion(*criterion));
  }
  for (const Json* issue : json.elements("issues")) {
    evaluation.issues.push_back(read_issue(JsonReader(*issue)));
  }
  evaluation.suggestions = read_texts(json, "suggestions");
  evaluation.error = json.optional_text("error");
  evaluation.value = read_json_text(json, "value");
  evaluation.judge = read_judge(json);
  if (const Json* usage = json.find("usage")) evaluation.usage = usage_from_json(*usage);
  return evaluation;
}

Changes read_changes(const JsonReader& json) {
  return {read_texts(json, "resolved"), read_texts(json, "carried"), read_texts(json, "new"),
          read_texts(json, "resurfaced")};
}

Attempt read_attempt(const JsonReader& json) {
  Attempt attempt;
  attempt.number = json.small("number");
  attempt.output = read_output(json.object("output"));
  attempt.evaluation = read_evaluation(json.object("evaluation"));
  if (json.find("reflection")) attempt.reflection = read_reflection(json.object("reflection"));
  attempt.duplicate_of = json.optional_int("duplicate_of");
  attempt.parent = json.optional_int("parent");
  if (json.find("changes")) attempt.changes = read_changes(json.object("changes"));
  attempt.usage = read_usage_by_role(json.object("usage"));
  attempt.started = json.instant("started");
  attempt.finished = json.instant("finished");
  return attempt;
}

Task read_task(const JsonReader& json) {
  return {json.text("name"), json.text("prompt"), json.text("system"), json.text("type"),
          read_json_text(json, "input")};
}

// Reads the members of one kind of event.
using Read = Event (*)(const JsonReader&);
struct Kind {
  std::string_view name;
  Read read;
};

Event read_stopped(const JsonReader& json) {
  Stopped stopped;
  stopped.stop.reason = json.word("reason", stop_reason_from, StopReason::Error);
  stopped.stop.detail = json.text("detail");
  stopped.stop.kind = json.text("kind");
  stopped.stop.hint = json.text("hint");
  stopped.selected = json.optional_int("selected");
  return stopped;
}

Event read_reflected(const JsonReader& json) {
  return Reflected{json.small("attempt"), read_reflection(json.object("reflection")),
                   read_usage_by_role(json.object("usage"))};
}

Event read_reevaluated(const JsonReader& json) {
  return Reevaluated{json.small("attempt"), read_evaluation(json.object("evaluation")),
                     read_usage_by_role(json.object("usage"))};
}

constexpr std::array<Kind, std::variant_size_v<Event>> kKinds{{
    {"run_started",
     [](const JsonReader& json) -> Event { return RunStarted{read_task(json.object("task"))}; }},
    {"lessons_recalled",
     [](const JsonReader& json) -> Event {
       return LessonsRecalled{read_lessons(json, "lessons")};
     }},
    {"attempt_started",
     [](const JsonReader& json) -> Event { return AttemptStarted{json.small("attempt")}; }},
    {"draft",
     [](const JsonReader& json) -> Event {
       return Draft{json.small("attempt"), json.text("text")};
     }},
    {"evaluated",
     [](const JsonReader& json) -> Event {
       return Evaluated{read_attempt(json.object("attempt"))};
     }},
    {"retracted",
     [](const JsonReader& json) -> Event {
       return Retracted{json.small("attempt"), json.text("reason")};
     }},
    {"reflected", read_reflected},
    {"reevaluated", read_reevaluated},
    {"budget_warning",
     [](const JsonReader& json) -> Event { return BudgetWarning{json.text("detail")}; }},
    {"lesson_learned",
     [](const JsonReader& json) -> Event {
       return LessonLearned{read_lesson(json.object("lesson"))};
     }},
    {"stopped", read_stopped},
    {"committed",
     [](const JsonReader& json) -> Event {
       return Committed{json.small("attempt"), json.text("text")};
     }},
    {"run_finished",
     [](const JsonReader& json) -> Event {
       return RunFinished{read_usage_by_role(json.object("usage"))};
     }},
}};

}  // namespace

Event event_from_json(const Json& json) {
  const JsonReader reader(json);
  const std::string name = reader.text("event");
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind.read(reader);
  }
  JsonReader::fail("event");
}

}  // namespace hone::core
