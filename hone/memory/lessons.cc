#include "hone/memory/lessons.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/async/within.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/reflection_form.h"
#include "hone/memory/reflection_file.h"
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

// Without the words that the protocol puts in front of it, which its files put there.
std::string_view bare(std::string_view text) {
  for (const std::string_view prefix : {kPrinciplePrefix, kProcedurePrefix}) {
    const std::string_view start = trim(prefix);
    if (trim(text).starts_with(start)) return trim(trim(text).substr(start.size()));
  }
  return text;
}

void add_lesson(std::vector<StoredLesson>& lessons, const StoredLesson& model, Kind kind,
                std::string text) {
  text = one_line(to_utf8(std::string(bare(text))), kTextColumns);
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

std::string note_of(const Recalled& recalled) {
  if (!recalled.problem.empty()) return "compared by their words alone: " + recalled.problem;
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

std::vector<StoredLesson> lessons_of(const Decision& decision, const Owner& owner) {
  StoredLesson model{.id = {}, .text = {}, .owner = owner};
  model.ending = Ending::Decided;
  model.task_type = decision.task.type;
  model.task = task_text(decision.task);
  model.tool = decision.tool;
  model.conditions = decision.conditions;
  model.reflection = bounded(decision.said);
  model.provenance.run = decision.run;
  model.created = decision.at;
  std::vector<StoredLesson> lessons;
  add_lesson(lessons, model, Kind::Decision, decision.said.rule);
  add_lesson(lessons, model, Kind::Rule, decision.said.principle);
  add_lesson(lessons, model, Kind::Playbook, decision.said.procedure);
  for (StoredLesson& lesson : lessons)
    lesson.id = lesson_id(owner, fmt::format("{}\n{}", to_string(lesson.kind), lesson.text),
                          lesson.created);
  return lessons;
}

// Where the work is done. It has all that work touches, so that work that takes too long can be
// left behind with it. Threads: any; calls wait for each other.
class Lessons::Desk {
 public:
  Desk(std::shared_ptr<LessonStore> store, std::shared_ptr<core::Embedder> embedder,
       LessonsOptions options)
      : store_(std::move(store)),
        embedder_(std::move(embedder)),
        options_(std::move(options)),
        recall_(*store_, *embedder_),
        learning_(*store_, recall_) {}

  void recall(Work& work, const core::Task& task);
  void learn(Work& work, const core::Run& run);

 private:
  void record(const Work& work, std::optional<core::Outcome> outcome,
              std::span<const core::Lesson> shown);

  std::mutex mutex_;
  std::shared_ptr<LessonStore> store_;
  std::shared_ptr<core::Embedder> embedder_;
  LessonsOptions options_;
  Recall recall_;
  Learning learning_;
};

struct Lessons::Work {
  std::string doing;  // "lessons could not be recalled"
  Duration limit = {};
  std::string run;
  Instant begun = {};
  std::function<void(Work&)> function;
  std::atomic<bool> left_behind = false;
  // Not to be looked at when it was left behind.
  std::vector<core::Lesson> result = {};
  std::string note = {};
};

void Lessons::Desk::record(const Work& work, std::optional<core::Outcome> outcome,
                           std::span<const core::Lesson> shown) {
  std::vector<Trial> trials;
  for (const core::Lesson& lesson : shown)
    trials.push_back({.lesson = lesson.id, .run = work.run, .outcome = outcome, .at = work.begun});
  if (!trials.empty()) store_->record(options_.owner.tenant, trials);
}

void Lessons::Desk::recall(Work& work, const core::Task& task) {
  const std::lock_guard lock(mutex_);
  Question question{.scope = {.tenant = options_.owner.tenant, .agent = options_.owner.agent},
                    .text = task.prompt,
                    .task_type = task.type,
                    .most = options_.recall,
                    .order = options_.order,
                    .least = options_.least};
  if (options_.all_agents) question.scope.agent.reset();
  const Recalled recalled = options_.block ? block_of(*store_, question) : recall_.recall(question);
  // What nobody is shown any more was not tried.
  if (work.left_behind) return;
  work.note = note_of(recalled);
  work.result = shown_form(recalled.hits);
  if (!work.run.empty()) record(work, std::nullopt, work.result);
}

void Lessons::Desk::learn(Work& work, const core::Run& run) {
  const std::lock_guard lock(mutex_);
  const core::Attempt* selected = run.find_selected();
  if (selected != nullptr) record(work, selected->evaluation.outcome, run.recalled);
  if (!options_.learn) return;
  for (StoredLesson& lesson : lessons_of(run, options_.owner)) {
    if (work.left_behind) return;
    std::vector<StoredLesson> one;
    one.push_back(std::move(lesson));
    const auto addition = learning_.learn(std::move(one), run.recalled).front();
    // What is known by its own id was learned by this run before it was resumed.
    if (!addition || addition->outcome == Added::Merged) continue;
    const auto stored = store_->find(options_.owner.tenant, addition->id);
    if (stored && stored->provenance.run == run.id)
      work.result.push_back({stored->id, stored->text});
  }
}

Lessons::Lessons(std::shared_ptr<LessonStore> store, std::shared_ptr<core::Embedder> embedder,
                 LessonsOptions options)
    : options_(std::move(options)),
      desk_(std::make_shared<Desk>(std::move(store), std::move(embedder), options_)) {}

Lessons::~Lessons() = default;

async<void> Lessons::do_work(std::shared_ptr<Work> work) {
  const std::function<void()> waiting = [work] {
    if (ended_within(work->limit, [work] { work->function(*work); })) return;
    work->left_behind = true;
    throw Error(ErrorKind::DeadlineExceeded,
                fmt::format("the lesson store did not answer within {} s",
                            std::chrono::duration<double>(work->limit).count()),
                "see whether another process holds it");
  };
  co_await pool_.run(waiting);
}

// What fails is told and gives no lessons; a cancellation goes on to whoever cancelled.
async<std::vector<core::Lesson>> Lessons::done(std::shared_ptr<Work> work) {
  const std::exception_ptr failure = co_await caught(do_work(work));
  if (!failure) {
    if (!work->note.empty() && options_.tell) options_.tell(work->note);
    co_return std::move(work->result);
  }
  const Error error = to_error(failure);
  if (error.kind() == ErrorKind::Cancelled) std::rethrow_exception(failure);
  if (options_.tell) options_.tell(fmt::format("{}: {}", work->doing, error.message()));
  co_return std::vector<core::Lesson>();
}

// Without a run, nothing is counted.
std::shared_ptr<Lessons::Work> Lessons::recalling(const core::Task& task) const {
  const auto work = std::make_shared<Work>();
  work->doing = "lessons could not be recalled";
  work->limit = options_.recall_time;
  work->function = [desk = desk_, task](Work& own) { desk->recall(own, task); };
  return work;
}

async<std::vector<core::Lesson>> Lessons::recall(core::Context context, const core::Task& task) {
  if (options_.recall == 0) co_return std::vector<core::Lesson>();
  const auto work = recalling(task);
  work->run = context.run;
  work->begun = context.clock->now();
  co_return co_await done(work);
}

async<std::vector<core::Lesson>> Lessons::preview(const core::Task& task) {
  if (options_.recall == 0) co_return std::vector<core::Lesson>();
  co_return co_await done(recalling(task));
}

async<std::vector<core::Lesson>> Lessons::learn(core::Context context, const core::Run& run) {
  const bool teaches = options_.learn && !lessons_of(run, options_.owner).empty();
  if (run.recalled.empty() && !teaches) co_return std::vector<core::Lesson>();
  const auto work = std::make_shared<Work>();
  work->doing = "not all lessons were learned";
  work->limit = options_.learn_time;
  work->run = run.id;
  work->begun = context.clock->now();
  work->function = [desk = desk_, run](Work& own) { desk->learn(own, run); };
  co_return co_await done(work);
}

}  // namespace hone::memory
