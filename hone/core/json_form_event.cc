// Writes events in the complete form that the journal keeps.

#include "hone/core/json_form.h"
#include "hone/core/json_form_writer.h"

namespace hone::core {
namespace {

std::int64_t nanoseconds(Instant at) { return at.time_since_epoch().count(); }

void write(JsonWriter& writer, const UsageByRole& usage) {
  writer.begin_object();
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    if (usage[role] == Usage{}) continue;
    writer.key(to_string(role));
    write_usage(writer, usage[role]);
  }
  writer.end_object();
}

void write(JsonWriter& writer, const Lesson& lesson) {
  writer.begin_object();
  writer.text_member("id", lesson.id);
  writer.text_member("text", lesson.text);
  writer.end_object();
}

void write(JsonWriter& writer, const Output& output) {
  writer.begin_object();
  writer.text_member("text", output.text);
  if (output.finish != Finish::Complete) writer.key("finish").word(to_string(output.finish));
  writer.text_member("model", output.model);
  writer.text_member("strategy", output.strategy);
  writer.end_object();
}

void write(JsonWriter& writer, const Reflection& reflection) {
  writer.begin_object();
  writer.text_member("text", reflection.text);
  writer.text_member("what_happened", reflection.what_happened);
  writer.text_member("what_went_wrong", reflection.what_went_wrong);
  writer.text_member("why", reflection.why);
  writer.text_member("do_differently", reflection.do_differently);
  writer.text_member("rule", reflection.rule);
  writer.text_member("principle", reflection.principle);
  writer.text_member("procedure", reflection.procedure);
  writer.end_object();
}

void write(JsonWriter& writer, const std::string& text) { writer.text(text); }

void write_judge(JsonWriter& writer, const std::optional<JudgeIdentity>& judge) {
  if (!judge) return;
  writer.key("judge").begin_object();
  writer.text_member("model", judge->model);
  writer.text_member("rubric", judge->rubric);
  writer.end_object();
}

void write(JsonWriter& writer, const CheckResult& check) {
  writer.begin_object();
  writer.text_member("name", check.name);
  writer.key("outcome").word(to_string(check.outcome));
  if (check.score) writer.key("score").number(check.score->value());
  write_judge(writer, check.judge);
  writer.end_object();
}

void write(JsonWriter& writer, const std::pair<std::string, Score>& criterion) {
  writer.begin_array();
  writer.text(criterion.first);
  writer.number(criterion.second.value());
  writer.end_array();
}

void write(JsonWriter& writer, const Issue& issue) {
  writer.begin_object();
  writer.text_member("path", issue.path);
  if (issue.line) writer.key("line").integer(std::int64_t{*issue.line});
  writer.text_member("message", issue.message);
  writer.text_member("kind", issue.kind);
  if (issue.severity != Severity::Error) writer.key("severity").word(to_string(issue.severity));
  writer.text_member("check", issue.check);
  writer.end_object();
}

template <class Items>
void write_list(JsonWriter& writer, std::string_view name, const Items& items) {
  if (items.empty()) return;
  writer.key(name).begin_array();
  for (const auto& item : items) write(writer, item);
  writer.end_array();
}

void write(JsonWriter& writer, const Evaluation& evaluation) {
  writer.begin_object();
  writer.key("outcome").word(to_string(evaluation.outcome));
  if (evaluation.score) writer.key("score").number(evaluation.score->value());
  if (evaluation.interval) {
    writer.key("interval").begin_array();
    writer.number(evaluation.interval->low);
    writer.number(evaluation.interval->high);
    writer.end_array();
  }
  writer.integer_member("samples", evaluation.samples);
  writer.number_member("confidence", evaluation.confidence);
  write_list(writer, "checks", evaluation.checks);
  write_list(writer, "criteria", evaluation.criteria);
  write_list(writer, "issues", evaluation.issues);
  write_list(writer, "suggestions", evaluation.suggestions);
  if (evaluation.error) writer.key("error").text(*evaluation.error);
  if (evaluation.value) writer.key("value").text(evaluation.value->text);
  write_judge(writer, evaluation.judge);
  if (evaluation.usage != Usage{}) write_usage(writer.key("usage"), evaluation.usage);
  writer.end_object();
}

void write(JsonWriter& writer, const Changes& changes) {
  writer.begin_object();
  write_list(writer, "resolved", changes.resolved);
  write_list(writer, "carried", changes.carried);
  write_list(writer, "new", changes.added);
  write_list(writer, "resurfaced", changes.resurfaced);
  writer.end_object();
}

void write_optional(JsonWriter& writer, std::string_view name, const std::optional<int>& value) {
  if (value) writer.key(name).integer(std::int64_t{*value});
}

void write(JsonWriter& writer, const Attempt& attempt) {
  writer.begin_object();
  writer.integer_member("number", attempt.number);
  write(writer.key("output"), attempt.output);
  write(writer.key("evaluation"), attempt.evaluation);
  if (attempt.reflection) write(writer.key("reflection"), *attempt.reflection);
  write_optional(writer, "duplicate_of", attempt.duplicate_of);
  write_optional(writer, "parent", attempt.parent);
  if (attempt.changes != Changes{}) write(writer.key("changes"), attempt.changes);
  write(writer.key("usage"), attempt.usage);
  writer.integer_member("started", nanoseconds(attempt.started));
  writer.integer_member("finished", nanoseconds(attempt.finished));
  writer.end_object();
}

void write(JsonWriter& writer, const Task& task) {
  writer.begin_object();
  writer.text_member("name", task.name);
  writer.text_member("prompt", task.prompt);
  writer.text_member("system", task.system);
  writer.key("type").text(task.type);
  if (task.input) writer.key("input").text(task.input->text);
  writer.end_object();
}

// Writes the members of each kind of event.
class Writing {
 public:
  explicit Writing(JsonWriter& writer) : writer_(writer) {}

  void operator()(const RunStarted& event) { write(writer_.key("task"), event.task); }
  void operator()(const LessonsRecalled& event) { write_list(writer_, "lessons", event.lessons); }
  void operator()(const AttemptStarted& event) { write_attempt(event.number); }
  void operator()(const Draft& event) {
    write_attempt(event.attempt);
    writer_.text_member("text", event.text);
  }
  void operator()(const Evaluated& event) { write(writer_.key("attempt"), event.attempt); }
  void operator()(const Retracted& event) {
    write_attempt(event.attempt);
    writer_.text_member("reason", event.reason);
  }
  void operator()(const Reflected& event) {
    write_attempt(event.attempt);
    write(writer_.key("reflection"), event.reflection);
    write(writer_.key("usage"), event.usage);
  }
  void operator()(const Reevaluated& event) {
    write_attempt(event.attempt);
    write(writer_.key("evaluation"), event.evaluation);
    write(writer_.key("usage"), event.usage);
  }
  void operator()(const BudgetWarning& event) { writer_.text_member("detail", event.detail); }
  void operator()(const LessonLearned& event) { write(writer_.key("lesson"), event.lesson); }
  void operator()(const Stopped& event) {
    writer_.key("reason").word(to_string(event.stop.reason));
    writer_.text_member("detail", event.stop.detail);
    writer_.text_member("kind", event.stop.kind);
    writer_.text_member("hint", event.stop.hint);
    write_optional(writer_, "selected", event.selected);
  }
  void operator()(const Committed& event) {
    write_attempt(event.attempt);
    writer_.text_member("text", event.text);
  }
  void operator()(const RunFinished& event) { write(writer_.key("usage"), event.usage); }

 private:
  void write_attempt(int number) { writer_.integer_member("attempt", number); }

  JsonWriter& writer_;
};

}  // namespace

std::string journal_text(const Event& event, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("event").word(name_of(event));
  std::visit(Writing(writer), event);
  writer.end_object();
  return writer.take();
}

}  // namespace hone::core
