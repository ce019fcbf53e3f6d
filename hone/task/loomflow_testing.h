// A task under the profile loomflow, with a model that answers from a list.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hone/core/fake_model.h"
#include "hone/core/testing.h"
#include "hone/evaluate/judge.h"
#include "hone/memory/lessons.h"
#include "hone/memory/lexical_embedder.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reflector.h"
#include "hone/reflect/reviser.h"
#include "hone/task/loomflow.h"
#include "hone/task/testing.h"

namespace hone::task {

using core::FakeModel;
using core::reply;
using Answers = std::deque<core::FakeAnswer>;

// Keeps the names of the events, those of loomflow alone.
class ToldEvents final : public core::EventSink {
 public:
  explicit ToldEvents(const TaskFile& file) : names_(file) {}
  Instant emit(const std::string&, const core::Event& event, Instant at) override {
    for (LoomflowEvent& one : names_.told_of(event)) told.push_back(std::move(one));
    return at;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const LoomflowEvent& one : told) names.push_back(one.name.substr(one.name.find('.') + 1));
    return names;
  }

  std::vector<LoomflowEvent> told;

 private:
  LoomflowEvents names_;
};

// Several runs share a store.
struct LessonShelf {
  std::shared_ptr<memory::LessonStore> store = memory::make_lesson_store();
  std::shared_ptr<memory::LexicalEmbedder> embedder = std::make_shared<memory::LexicalEmbedder>();

  std::vector<std::string> texts(const memory::Scope& scope) const {
    std::vector<std::string> texts;
    for (const memory::StoredLesson& lesson : store->list(scope)) texts.push_back(lesson.text);
    return texts;
  }
};

inline async<void> tell(core::Run& run, core::Context context, core::Task task, core::Roles roles,
                        core::LoopOptions options) {
  run = co_await core::reflect(std::move(context), std::move(task), roles, std::move(options));
}

// One run of the profile, after it was told; each has an id of its own.
struct Reflexion {
  // `more` are further lines of the task file; `profile` is what it says.
  Reflexion(LessonShelf& shelf, Answers answers, const std::string& profile = "loomflow",
            const std::string& more = "",
            const std::string& prompt = "Parse the dates of the feed.")
      : file(parsed("task: '" + prompt + "'\n" + more + "profile: " + profile + "\n")),
        model(std::move(answers)),
        events(file) {
    core::TestScene scene(file.budget, &events);
    reflect::ModelGenerator generator(model);
    evaluate::Judge judge(model, {.rubric = file.rubric,
                                  .threshold = Score(file.accept_threshold),
                                  .score = evaluate::ScoreFrom::Stated});
    reflect::ModelReflector reflector(model, {}, file.reflect.options);
    reflect::ModelReviser reviser(model, file.revise);
    memory::Lessons lessons(shelf.store, shelf.embedder,
                            {.owner = file.lessons.owner,
                             .recall = static_cast<std::size_t>(file.lessons.recall),
                             .order = file.lessons.order,
                             .least = file.lessons.least,
                             .block = file.lessons.block});
    const core::LoopOptions options{.stop = file.stop,
                                    .selection = file.select,
                                    .reflects_on_failure = true,
                                    .reflects_on_success = file.reflect.success,
                                    .learns_at_once = file.lessons.at_once};
    static int runs = 0;
    ++runs;
    core::FakeClock clock{std::chrono::milliseconds(runs)};
    core::Context context = scene.context();
    context.run = "run" + std::to_string(runs);
    context.clock = &clock;
    const core::Roles roles{generator, judge, reflector, reviser, lessons};
    run_sync([&] { return tell(run, context, file.task, roles, options); });
  }

  // What was sent with the call of this number, from 0.
  std::string sent(std::size_t call) const { return model.asked.at(call).messages.back().text; }
  const std::string& output() const { return run.find_selected()->output.text; }
  std::optional<double> score() const {
    const auto& score = run.attempts.back().evaluation.score;
    return score ? std::optional(score->value()) : std::nullopt;
  }

  TaskFile file;
  FakeModel model;
  ToldEvents events;
  core::Run run;
};

inline std::string verdict(double score) {
  return "score: " + std::to_string(score) + "\nIt is what it is.";
}

// The lines of the prompt that are lessons.
inline std::size_t bullets(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("\n- ", at)) != text.npos; ++at) ++count;
  return count;
}

}  // namespace hone::task
