#include "hone/task/loomflow.h"

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/core/reflection_form.h"
#include "hone/model/spec.h"
#include "hone/task/profile.h"

namespace hone::task {
namespace {

constexpr std::string_view kScale =
    "Give a score you would stand by: 1.0 where the task is done and nothing is wrong; 0.7 to 0.9 "
    "where it is right but for small gaps; 0.4 to 0.6 where a part is right and much is missing; "
    "0.3 and less where it is wrong or its main parts are missing.";

void require(bool fits, const char* rule, const char* hint) {
  if (!fits) throw Error(ErrorKind::InvalidInput, rule, hint);
}

void set_model(TaskFile& file, core::Role role, const std::string& spec) {
  if (spec.empty() || file.models.contains(role)) return;
  file.models[role] = model::to_string(model::parse_spec(spec));
}

void set_lessons(TaskFile& file, const LoomflowOptions& options) {
  LessonRules& lessons = file.lessons;
  if (!file.says("lessons.recall") && lessons.are_used()) lessons.recall = options.top_k_lessons;
  if (!file.says("lessons.order")) lessons.order = memory::Order::Similarity;
  if (!file.says("lessons.at_once")) lessons.at_once = true;
  if (!file.says("lessons.block")) lessons.block = !options.lesson_store;
  if (!lessons.block || file.says("lessons.agent")) return;
  memory::check_name("a block", options.lessons_block_name);
  lessons.owner.agent = options.lessons_block_name;
}

LoomflowEvent event(std::string_view name, const Json& fields) {
  return {"reflexion." + std::string(name), {dump(fields)}};
}

Json score_of(const core::Attempt& attempt) {
  const auto& score = attempt.evaluation.score;
  return score ? Json(score->value()) : Json(nullptr);
}

}  // namespace

void check(const LoomflowOptions& options) {
  require(options.max_attempts >= 1, "max_attempts must be >= 1", "write a whole number from 1 on");
  require(options.threshold >= 0 && options.threshold <= 1, "threshold must be in [0.0, 1.0]",
          "0.8 is the default");
  require(options.top_k_lessons >= 1, "top_k_lessons must be >= 1",
          "`lessons: {recall: 0}` shows none");
}

void apply(TaskFile& file, const LoomflowOptions& options) {
  check(options);
  file.profile = "loomflow";
  set_plain_stop(file, options.max_attempts);
  if (!file.says("stop.interrupted")) file.stop.interrupted = true;
  if (!file.says("stop.unjudged")) file.stop.unjudged = 1;
  if (!file.says("accept")) file.accept_threshold = options.threshold;
  file.rubric = options.evaluator_prompt.empty() ? std::string(kScale) : options.evaluator_prompt;
  if (!file.says("revise")) file.revise.policy = reflect::policy_named("lessons");
  if (!file.says("reflect.form")) file.reflect.options.forms = reflect::Forms::Sentence;
  if (!file.says("reflect.prompt")) file.reflect.options.instruction = options.reflector_prompt;
  set_model(file, core::Role::Evaluate, options.evaluator_model);
  set_model(file, core::Role::Reflect, options.reflector_model);
  set_lessons(file, options);
}

LoomflowEvents::LoomflowEvents(const TaskFile& file)
    : max_attempts_(file.stop.attempts),
      target_(file.lessons.block ? file.lessons.owner.agent : "lesson_store"),
      is_selective_(!file.lessons.block) {}

std::vector<LoomflowEvent> LoomflowEvents::evaluated(const core::Attempt& attempt) const {
  if (attempt.output.finish == core::Finish::Interrupted) return {};
  const Json score = score_of(attempt);
  std::vector<LoomflowEvent> told{
      event("evaluated", {{"attempt", attempt.number}, {"score", score}})};
  if (attempt.evaluation.outcome == core::Outcome::Passed) {
    told.push_back(event("threshold_met", {{"attempt", attempt.number}, {"score", score}}));
  } else if (attempt.number >= max_attempts_) {
    told.push_back(
        event("max_attempts_reached", {{"final_score", score}, {"attempts", attempt.number}}));
  }
  return told;
}

std::vector<LoomflowEvent> LoomflowEvents::told_of(const core::Event& happened) {
  if (const auto* recalled = std::get_if<core::LessonsRecalled>(&happened)) {
    recalled_ = is_selective_ ? recalled->lessons.size() : 0;
    return {};
  }
  if (const auto* started = std::get_if<core::AttemptStarted>(&happened)) {
    std::vector<LoomflowEvent> told{
        event("attempt_started", {{"attempt", started->number}, {"max_attempts", max_attempts_}})};
    if (recalled_ == 0) return told;
    told.push_back(
        event("lessons_recalled", {{"attempt", started->number}, {"n_recalled", recalled_}}));
    return told;
  }
  if (const auto* attempt = std::get_if<core::Evaluated>(&happened)) {
    return evaluated(attempt->attempt);
  }
  if (const auto* reflected = std::get_if<core::Reflected>(&happened)) {
    reflected_ = reflected->attempt;
    return {event("lesson_produced",
                  {{"attempt", reflected_}, {"lesson", core::sentence_of(reflected->reflection)}})};
  }
  if (std::holds_alternative<core::LessonLearned>(happened)) {
    return {event("lesson_persisted", {{"attempt", reflected_}, {"block", target_}})};
  }
  return {};
}

}  // namespace hone::task
