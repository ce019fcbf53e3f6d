// hone lessons list, show, recall: what there is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/lessons_command.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/reflection_form.h"

namespace hone::app {
namespace {

using memory::StoredLesson;

// What followed the lesson, from -1 to 1; few runs say little.
double effect_of(const memory::Trials& trials) {
  return static_cast<double>(trials.passed - trials.failed) /
         static_cast<double>(trials.passed + trials.failed + trials.unknown + 2);
}

memory::Filter filter_of(const LessonFlags& flags) {
  return flags.filter.empty() ? memory::Filter() : memory::Filter(flags.filter);
}

std::optional<memory::Kind> kind_of(const LessonFlags& flags) {
  if (flags.kind.empty()) return std::nullopt;
  if (const auto kind = memory::kind_from(flags.kind)) return kind;
  throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no kind of lesson", flags.kind),
              "use lesson, rule, playbook or decision");
}

void sort(std::vector<StoredLesson>& lessons, const std::string& by) {
  if (by == "created") return;
  if (by != "recalled" && by != "effect") {
    throw Error(ErrorKind::InvalidInput, fmt::format("lessons cannot be sorted by `{}`", by),
                "use created, recalled or effect");
  }
  std::ranges::sort(lessons, {}, [&](const StoredLesson& lesson) {
    const double value = by == "effect" ? effect_of(lesson.trials) : lesson.trials.recalled;
    return std::tuple(-value, lesson.created, lesson.id);
  });
}

void print_line(const StoredLesson& lesson) {
  std::string marks;
  if (lesson.probation) marks += " (on probation)";
  if (lesson.forgotten) marks += " (forgotten)";
  if (!lesson.contradicts.empty()) marks += " (contradicted)";
  fmt::print("{}  {:<8}  {:<10}  {:>3}x  {:>+5.2f}  {}{}\n", lesson.id,
             memory::to_string(lesson.kind), one_line(lesson.owner.agent, 10),
             lesson.trials.recalled, effect_of(lesson.trials), one_line(lesson.text, 80), marks);
}

void print_field(std::string_view name, std::string_view text) {
  if (!text.empty()) fmt::print("{:<14}{}\n", name, text);
}

std::string outcome_text(const memory::Trial& trial) {
  return trial.outcome ? std::string(core::to_string(*trial.outcome)) : "unfinished";
}

void print_whole(const StoredLesson& lesson, const std::vector<memory::Trial>& trials) {
  fmt::print("{:<14}{}\n{:<14}{}\n", "lesson", lesson.id, "text", lesson.text);
  print_field("kind", memory::to_string(lesson.kind));
  print_field("agent", lesson.owner.agent);
  print_field("tenant", lesson.owner.tenant);
  print_field("task type", lesson.task_type);
  print_field("tool", lesson.tool);
  print_field("holds when", lesson.conditions);
  print_field("task", lesson.task);
  print_field("created", to_iso8601(lesson.created));
  if (!lesson.provenance.run.empty()) {
    fmt::print("{:<14}run {}, attempt {}\n", "learned from", lesson.provenance.run,
               lesson.provenance.attempt);
  }
  print_field("evidence", lesson.provenance.evidence);
  const core::Reflection& reflection = lesson.reflection;
  print_field("happened", reflection.what_happened);
  print_field("went wrong", reflection.what_went_wrong);
  print_field("why", reflection.why);
  print_field("differently", reflection.do_differently);
  fmt::print("{:<14}{} times, {} near-duplicates learned since\n", "recalled",
             lesson.trials.recalled, lesson.merged);
  for (const memory::Trial& trial : trials)
    fmt::print("{:<14}run {}: {}\n", "", trial.run, outcome_text(trial));
  print_field("contradicts", join(lesson.contradicts, ", "));
  if (lesson.probation) print_field("state", "on probation until a run with it passed");
  if (lesson.forgotten) print_field("state", "forgotten");
}

// What was reflected, in one of the forms; the advice stands for what it was made from.
int print_form(const StoredLesson& lesson, const std::string& name) {
  using core::ReflectionForm;
  constexpr std::array kForms{ReflectionForm::Full, ReflectionForm::Short,
                              ReflectionForm::Procedure, ReflectionForm::Decision,
                              ReflectionForm::Sentence};
  const auto form = std::ranges::find(kForms, name, [](auto one) { return to_string(one); });
  if (form == kForms.end()) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no form of a reflection", name),
                "use full, short, procedure, decision or sentence");
  }
  core::Reflection said = lesson.reflection;
  if (said.rule.empty() || lesson.kind == memory::Kind::Decision) said.rule = lesson.text;
  std::string text = core::rendered(said, *form);
  if (!text.ends_with('\n')) text += '\n';
  fmt::print("{}", text);
  return kDone;
}

Json whole_json(const StoredLesson& lesson, const std::vector<memory::Trial>& trials) {
  Json json = memory::to_json(lesson);
  json["runs"] = Json::array();
  for (const memory::Trial& trial : trials) {
    Json outcome = trial.outcome ? Json(core::to_string(*trial.outcome)) : Json(nullptr);
    json["runs"].push_back(
        {{"run", trial.run}, {"outcome", std::move(outcome)}, {"at", to_iso8601(trial.at)}});
  }
  return json;
}

Json hit_json(const memory::Hit& hit) {
  Json json = memory::to_json(hit.lesson);
  json["relevance"] = hit.relevance;
  json["cosine"] = hit.cosine;
  json["words"] = hit.words;
  return json;
}

memory::Question question_of(const LessonFlags& flags) {
  memory::Question question{
      .scope = {.tenant = owner_of(flags).tenant, .agent = owner_of(flags).agent},
      .text = flags.text,
      .task_type = flags.task_type.value_or(""),
      .tool = flags.tool.value_or(""),
      .filter = filter_of(flags)};
  if (flags.all_agents) question.scope.agent.reset();
  if (flags.most) question.most = *flags.most;
  if (flags.least) question.least = *flags.least;
  if (flags.diversity) question.diversity = *flags.diversity;
  const auto order = memory::order_from(flags.order);
  if (!order) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is no order", flags.order),
                "use hybrid, similarity or protocol");
  }
  question.order = *order;
  return question;
}

}  // namespace

memory::Owner owner_of(const LessonFlags& flags) {
  memory::Owner owner;
  const Flags* defaults = flags.common.defaults.get();
  const auto set = [&](std::string& name, const std::string& given, const std::string& configured) {
    if (!given.empty())
      name = given;
    else if (!configured.empty())
      name = configured;
  };
  set(owner.agent, flags.common.agent, defaults == nullptr ? "" : defaults->agent);
  set(owner.tenant, flags.common.tenant, defaults == nullptr ? "" : defaults->tenant);
  memory::check_name("an agent", owner.agent);
  memory::check_name("a tenant", owner.tenant);
  return owner;
}

memory::Scope scope_of(const LessonFlags& flags) {
  const memory::Owner owner = owner_of(flags);
  memory::Scope scope{.tenant = owner.tenant, .agent = std::nullopt};
  if (!flags.common.agent.empty()) scope.agent = owner.agent;
  return scope;
}

int list_lessons(const LessonFlags& flags) {
  const memory::Filter filter = filter_of(flags);
  const auto kind = kind_of(flags);
  auto lessons = open_lessons(flags.common)->list(scope_of(flags));
  std::erase_if(lessons, [&](const StoredLesson& lesson) {
    return lesson.forgotten != flags.forgotten || (kind && lesson.kind != *kind) ||
           !filter.fits(lesson);
  });
  sort(lessons, flags.sort);
  if (flags.common.json) {
    Json rows = Json::array();
    for (const StoredLesson& lesson : lessons) rows.push_back(memory::to_json(lesson));
    fmt::print("{}\n", dump_pretty(rows));
    return kDone;
  }
  if (lessons.empty()) fmt::print(stderr, "no lessons; runs leave them, and `hone lessons add`\n");
  for (const StoredLesson& lesson : lessons) print_line(lesson);
  return kDone;
}

int show_lesson(const LessonFlags& flags) {
  const auto store = open_lessons(flags.common);
  const StoredLesson lesson = memory::find_lesson(*store, scope_of(flags), flags.id);
  if (!flags.form.empty()) return print_form(lesson, flags.form);
  const auto trials = store->trials(lesson.owner.tenant, lesson.id);
  if (flags.common.json) {
    fmt::print("{}\n", dump_pretty(whole_json(lesson, trials)));
  } else {
    print_whole(lesson, trials);
  }
  return kDone;
}

int recall_lessons(const LessonFlags& flags) {
  const auto store = open_lessons(flags.common);
  const auto embedder = make_embedder();
  const memory::Recalled recalled =
      memory::Recall(*store, *embedder, memory::Embedding::All).recall(question_of(flags));
  if (flags.common.json) {
    Json rows = Json::array();
    for (const memory::Hit& hit : recalled.hits) rows.push_back(hit_json(hit));
    fmt::print("{}\n", dump_pretty(rows));
  }
  for (const memory::Hit& hit : recalled.hits) {
    if (flags.common.json) break;
    fmt::print("{}  relevance {:.2f} (words {:.2f}, meaning {:.2f})  {}\n", hit.lesson.id,
               hit.relevance, hit.words, hit.cosine, one_line(hit.lesson.text, 100));
  }
  if (flags.common.quiet) return kDone;
  if (!recalled.problem.empty())
    fmt::print(stderr, "compared by words alone: {}\n", recalled.problem);
  fmt::print(stderr, "{} shown, {} more would fit, {} more below the threshold\n",
             recalled.hits.size(), recalled.beyond, recalled.below);
  return kDone;
}

}  // namespace hone::app
