// hone lessons decide: why one way was taken and not another.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/lessons_command.h"
#include "apps/hone/models.h"
#include "apps/hone/scene.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/memory/learning.h"
#include "hone/model/retried.h"
#include "hone/reflect/reflector.h"

namespace hone::app {
namespace {

async<void> decide_into(core::Reflection& said, core::Context context, core::Model& model,
                        reflect::DecisionRequest request) {
  auto asking = reflect::reflect_on_decision(std::move(context), model, std::move(request));
  said = co_await std::move(asking);
}

bool is_complete(const core::Reflection& said, bool significant) {
  const bool reasons = !said.what_happened.empty() && !said.why.empty();
  return reasons && (!significant || (!said.principle.empty() && !said.procedure.empty()));
}

core::Reflection said_in(const LessonFlags& flags) {
  core::Reflection said;
  said.rule = trim(flags.text);
  said.what_happened = trim(flags.alternatives);
  said.why = trim(flags.why);
  said.principle = trim(flags.principle);
  said.procedure = trim(flags.procedure);
  return said;
}

core::Task task_in(const LessonFlags& flags) {
  core::Task task;
  task.prompt = flags.task;
  if (flags.task_type) task.type = *flags.task_type;
  return task;
}

// What the model adds. When it does not answer, what was said stands.
core::Reflection asked_for(const LessonFlags& flags, core::Reflection said) {
  Models models(flags.common);
  model::Retried model(models.make(flags.common.model));
  core::NoEvents nobody;
  Scene scene({}, flags.common.seed);
  const core::Context context = scene.context("decide", nobody).at("decide");
  const reflect::DecisionRequest request{
      .task = task_in(flags), .said = said, .significant = flags.significant};
  EventLoop loop;
  loop.cancel_on_signals();
  try {
    loop.run([&] { return decide_into(said, context, model, request); });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    fmt::print(stderr, "lessons     the decision is kept as it was said: {}\n", error.message());
  }
  return said;
}

void require_all(const LessonFlags& flags, const core::Reflection& said) {
  if (trim(said.rule).empty()) {
    throw Error(ErrorKind::InvalidInput, "a decision without words is none",
                "say in one sentence what was decided");
  }
  const bool lacks = flags.significant && !is_complete(said, true) && flags.common.model.empty();
  if (!lacks) return;
  throw Error(ErrorKind::InvalidInput,
              "a significant decision leaves alternatives, reasons, a principle and a procedure",
              "give --alternatives, --why, --principle and --procedure, or a --model that writes "
              "what is missing");
}

void print(const std::vector<memory::StoredLesson>& lessons, const LessonFlags& flags) {
  Json rows = Json::array();
  for (const memory::StoredLesson& lesson : lessons) {
    rows.push_back(memory::to_json(lesson));
    if (!flags.common.json) fmt::print("{}\n", lesson.id);
  }
  if (flags.common.json) fmt::print("{}\n", dump_pretty(rows));
}

}  // namespace

int decide_lesson(const LessonFlags& flags) {
  core::Reflection said = said_in(flags);
  require_all(flags, said);
  const bool asks = !flags.common.model.empty() && !is_complete(said, flags.significant);
  const auto store = open_lessons(flags.common);
  if (asks) said = asked_for(flags, std::move(said));
  const memory::Decision decision{.said = std::move(said),
                                  .task = task_in(flags),
                                  .tool = flags.tool.value_or(""),
                                  .conditions = flags.conditions.value_or(""),
                                  .at = SystemClock().now()};
  const memory::Owner owner = owner_of(flags);
  const auto embedder = make_embedder();
  memory::Recall recall(*store, *embedder);
  std::vector<memory::StoredLesson> kept;
  for (const auto& addition :
       memory::Learning(*store, recall).learn(memory::lessons_of(decision, owner))) {
    if (auto lesson = store->find(owner.tenant, addition->id)) kept.push_back(std::move(*lesson));
  }
  print(kept, flags);
  return kDone;
}

}  // namespace hone::app
