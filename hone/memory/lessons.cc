#include "hone/memory/lessons.h"

#include <fmt/format.h>

#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/reflection_form.h"
#include "hone/memory/wording.h"

namespace hone::memory {
namespace {

constexpr std::size_t kTaskColumns = 300;
constexpr std::size_t kEvidenceColumns = 300;
constexpr std::size_t kTextColumns = 600;
constexpr std::size_t kFieldColumns = 2000;

std::string evidence_of(const core::Evaluation& evaluation) {
  if (!evaluation.issues.empty())
    return one_line(evaluation.issues.front().message, kEvidenceColumns);
  return one_line(evaluation.error.value_or(""), kEvidenceColumns);
}

Ending ending_of(const core::Evaluation& evaluation) {
  switch (core::form_after(evaluation)) {
    case core::ReflectionForm::Procedure:
      return Ending::Succeeded;
    case core::ReflectionForm::Short:
      return Ending::Partial;
    default:
      return Ending::Failed;
  }
}

// How a lesson names the task that it was learned from.
std::string task_text(const core::Task& task) {
  return one_line(to_utf8(task.prompt), kTaskColumns);
}

// At most so much of each field, as valid text.
core::Reflection bounded(core::Reflection reflection) {
  for (std::string* text :
       {&reflection.text, &reflection.what_happened, &reflection.what_went_wrong, &reflection.why,
        &reflection.do_differently, &reflection.rule, &reflection.principle,
        &reflection.procedure}) {
    *text = to_utf8(*text);
    if (text->size() > kFieldColumns) *text = one_line(*text, kFieldColumns / 4);
  }
  return reflection;
}

void add_lesson(std::vector<StoredLesson>& lessons, const StoredLesson& model, Kind kind,
                std::string text) {
  text = one_line(to_utf8(text), kTextColumns);
  if (text.size() > kLongestText) text = one_line(text, kLongestText / 4);
  if (width(text) < 2 || lower(text) == "not stated") return;
  StoredLesson lesson = model;
  lesson.kind = kind;
  lesson.text = std::move(text);
  lesson.id = lesson_id(lesson.owner, lesson.provenance, kind);
  lessons.push_back(std::move(lesson));
}

std::vector<core::Lesson> shown_form(const std::vector<Hit>& hits) {
  std::vector<core::Lesson> lessons;
  for (const Hit& hit : hits) {
    std::string text = hit.lesson.text;
    if (!hit.lesson.conditions.empty()) text = fmt::format("{} ({})", text, hit.lesson.conditions);
    lessons.push_back({hit.lesson.id, std::move(text)});
  }
  return lessons;
}

// The newest lessons of the task that fit, oldest first.
Recalled block_of(LessonStore& store, const Question& question) {
  const std::string task = generic(task_text(core::Task{.prompt = question.text}));
  std::vector<StoredLesson> lessons = store.list(question.scope);
  std::erase_if(lessons, [&](const StoredLesson& lesson) {
    return lesson.forgotten || lesson.kind != Kind::Lesson || lesson.task != task;
  });
  Recalled recalled;
  std::size_t total = 0;
  for (auto lesson = lessons.rbegin(); lesson != lessons.rend(); ++lesson) {
    total += lesson->text.size();
    if (total > kLongestBlock) break;
    recalled.hits.insert(recalled.hits.begin(), Hit{.lesson = *lesson, .relevance = 1});
  }
  recalled.beyond = lessons.size() - recalled.hits.size();
  return recalled;
}

std::string hidden_note(const Recalled& recalled) {
  if (recalled.below + recalled.beyond == 0) return {};
  std::string note = fmt::format("{} shown", recalled.hits.size());
  if (recalled.beyond > 0) note += fmt::format(", {} more would fit", recalled.beyond);
  if (recalled.below > 0) note += fmt::format(", {} more below the threshold", recalled.below);
  return note;
}

}  // namespace

std::vector<StoredLesson> lessons_of(const core::Run& run, const Owner& owner) {
  std::vector<StoredLesson> lessons;
  for (const core::Attempt& attempt : run.attempts) {
    if (!attempt.reflection) continue;
    StoredLesson model{.id = {}, .text = {}, .owner = owner};
    model.ending = ending_of(attempt.evaluation);
    model.task_type = run.task.type;
    model.task = task_text(run.task);
    model.reflection = bounded(*attempt.reflection);
    model.provenance = {.run = run.id,
                        .attempt = attempt.number,
                        .evidence = to_utf8(evidence_of(attempt.evaluation))};
    model.created = attempt.finished;
    const core::Reflection& reflection = model.reflection;
    if (model.ending != Ending::Succeeded) {
      add_lesson(lessons, model, Kind::Lesson, core::sentence_of(reflection));
    }
    add_lesson(lessons, model, Kind::Rule, reflection.principle);
    add_lesson(lessons, model, Kind::Playbook, reflection.procedure);
  }
  return lessons;
}

struct Lessons::Work {
  std::function<std::vector<core::Lesson>()> function;
  std::vector<core::Lesson> result;
};

Lessons::Lessons(LessonStore& store, core::Embedder& embedder, LessonsOptions options)
    : store_(store),
      options_(std::move(options)),
      recall_(store, embedder),
      learning_(store, recall_) {}

Lessons::~Lessons() = default;

async<void> Lessons::do_work(Work& work) {
  const std::function<void()> function = [&work] { work.result = work.function(); };
  co_await pool_.run(function);
}

// What fails is told and gives no lessons; a cancellation goes on to whoever cancelled.
async<std::vector<core::Lesson>> Lessons::done(
    std::string doing, std::function<std::vector<core::Lesson>()> function) {
  Work work;
  work.function = std::move(function);
  const std::exception_ptr failure = co_await caught(do_work(work));
  if (!failure) co_return std::move(work.result);
  const Error error = to_error(failure);
  if (error.kind() == ErrorKind::Cancelled) std::rethrow_exception(failure);
  if (options_.tell) options_.tell(fmt::format("{}: {}", doing, error.message()));
  co_return std::vector<core::Lesson>();
}

std::vector<core::Lesson> Lessons::recall_now(const core::Context& context,
                                              const core::Task& task) {
  Question question{.scope = {.tenant = options_.owner.tenant, .agent = options_.owner.agent},
                    .text = task.prompt,
                    .task_type = task.type,
                    .most = options_.recall,
                    .order = options_.order,
                    .least = options_.least};
  if (options_.all_agents) question.scope.agent.reset();
  const Recalled recalled = options_.block ? block_of(store_, question) : recall_.recall(question);
  hidden_ = hidden_note(recalled);
  std::vector<core::Lesson> shown = shown_form(recalled.hits);
  record(context.run, std::nullopt, context.clock->now(), shown);
  return shown;
}

void Lessons::record(const std::string& run, std::optional<core::Outcome> outcome, Instant at,
                     std::span<const core::Lesson> shown) {
  std::vector<Trial> trials;
  for (const core::Lesson& lesson : shown)
    trials.push_back({.lesson = lesson.id, .run = run, .outcome = outcome, .at = at});
  if (!trials.empty()) store_.record(options_.owner.tenant, trials);
}

std::vector<core::Lesson> Lessons::learn_now(const core::Context& context, const core::Run& run) {
  const Instant until = context.clock->now() + options_.time;
  const core::Attempt* selected = run.find_selected();
  if (selected != nullptr) {
    record(run.id, selected->evaluation.outcome, context.clock->now(), run.recalled);
  }
  std::vector<core::Lesson> learned;
  if (!options_.learn) return learned;
  for (StoredLesson& lesson : lessons_of(run, options_.owner)) {
    if (context.clock->now() > until) {
      throw Error(ErrorKind::DeadlineExceeded, "there was no time to learn everything",
                  "see whether another process holds the store");
    }
    std::vector<StoredLesson> one;
    one.push_back(std::move(lesson));
    const auto addition = learning_.learn(std::move(one), run.recalled).front();
    // What is known by its own id was learned by this run before it was resumed.
    if (!addition || addition->outcome == Added::Merged) continue;
    const auto stored = store_.find(options_.owner.tenant, addition->id);
    if (stored && stored->provenance.run == run.id) learned.push_back({stored->id, stored->text});
  }
  return learned;
}

async<std::vector<core::Lesson>> Lessons::recall(core::Context context, const core::Task& task) {
  if (options_.recall == 0) co_return std::vector<core::Lesson>();
  const auto work = [this, &context, &task] { return recall_now(context, task); };
  std::vector<core::Lesson> shown = co_await done("lessons could not be recalled", work);
  const std::string hidden = std::exchange(hidden_, {});
  if (!hidden.empty() && options_.tell) options_.tell(hidden);
  co_return shown;
}

async<std::vector<core::Lesson>> Lessons::learn(core::Context context, const core::Run& run) {
  const auto work = [this, &context, &run] { return learn_now(context, run); };
  co_return co_await done("not all lessons were learned", work);
}

}  // namespace hone::memory
