#include "hone/prompt/prompts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/templates.h"
#include "hone/prompt/testing.h"
#include "hone/prompt/values.h"
#include "hone/template/template.h"

namespace hone::prompt {
namespace {

core::Run first_attempt() {
  core::Run run = sample_run();
  run.attempts.clear();
  return run;
}

const Rubric kRubric{"The total must be right.", "accuracy, relevance"};

TEST(Prompts, GenerateIsTheTaskAlone) {
  expect_golden("generate", generate_prompt(first_attempt()));
}

TEST(Prompts, LessonsAndSystemTextComeFirst) {
  core::Run run = first_attempt();
  run.recalled = {{"a", "Return bare JSON, no fences."}, {"b", "Compute totals."}};
  run.task.system = "You read orders.\n";
  expect_golden("generate_with_lessons", generate_prompt(run));
}

TEST(Prompts, JudgeShowsTheOutputThenTheRubric) {
  const core::Run run = first_attempt();
  expect_golden("judge", judge_prompt(run, {.text = "{\"total\": 41}"}, kRubric));
  expect_golden("judge_again",
                judge_again_prompt(run, {.text = "{\"total\": 41}"}, kRubric, "it is empty"));
}

TEST(Prompts, JudgeWithoutRubricOrCriteria) {
  expect_golden("judge_bare", judge_prompt(first_attempt(), {.text = "42"}, Rubric{}));
}

TEST(Prompts, ReflectShowsTheLastAttemptAndItsIssues) {
  expect_golden("reflect", reflect_prompt(sample_run()));
}

TEST(Prompts, ReflectOnARepeatAndOnASuccess) {
  core::Run run = sample_run();
  run.attempts.back().duplicate_of = 1;
  expect_golden("reflect_repeat", reflect_prompt(run));
  run.attempts.push_back(attempt_of(3, "{\"total\": 42}", core::passed()));
  expect_golden("reflect_success", reflect_prompt(run));
}

void expect_keys_of(const Prompt& prompt, std::string_view schema) {
  const Json properties = parse_json(schema_named(schema).text).at("properties");
  for (const auto& [key, property] : properties.items()) {
    EXPECT_NE(prompt.messages[1].text.find(key), std::string::npos) << key;
  }
}

TEST(Prompts, ReplyFormsAreThoseOfTheirSchemas) {
  expect_keys_of(judge_prompt(first_attempt(), {}, kRubric), "verdict");
  expect_keys_of(reflect_prompt(sample_run()), "reflection");
}

TEST(Prompts, ListTheirVariablesInTheFirstLine) {
  for (const Text& prompt : prompt_texts()) {
    const templates::Template compiled{std::string(prompt.name), prompt.source};
    const std::string first(prompt.source.substr(0, prompt.source.find('\n')));
    const auto names = compiled.undeclared_variables();
    EXPECT_EQ(first, "{# variables: " + join(names, ", ") + " #}") << prompt.name;
  }
}

TEST(Prompts, CarryTheNameAndTheHashOfTheirText) {
  const core::PromptIdentity identity = generate_prompt(first_attempt()).identity;
  EXPECT_EQ(identity.name, "generate");
  EXPECT_EQ(identity.hash.size(), 12U);
  EXPECT_EQ(identity, identity_of("generate"));
  EXPECT_NE(identity.hash, identity_of("judge").hash);
}

TEST(Prompts, UnknownNamesAreNotFound) {
  EXPECT_THROW(render("poem", Values()), Error);
  EXPECT_THROW(schema_named("poem"), Error);
}

TEST(Prompts, InvalidUtf8IsReplacedNotFatal) {
  const Prompt prompt = judge_prompt(first_attempt(), {.text = "a\xff\xfe z"}, kRubric);
  EXPECT_NE(prompt.messages[1].text.find("a\uFFFD\uFFFD z"), std::string::npos);
}

Prompt reflect_as(core::ReflectionForm form, bool mars, const core::Run& run = sample_run()) {
  return reflect_prompt(run, {.form = form, .mars = mars});
}

TEST(Prompts, ReflectInTheFormsOfTheProtocol) {
  using core::ReflectionForm;
  expect_golden("reflect_full_mars", reflect_as(ReflectionForm::Full, true));
  expect_golden("reflect_full", reflect_as(ReflectionForm::Full, false));
  expect_golden("reflect_short", reflect_as(ReflectionForm::Short, false));
  expect_golden("reflect_sentence", reflect_as(ReflectionForm::Sentence, false));
  core::Run run = sample_run();
  run.attempts.push_back(attempt_of(3, "{\"total\": 42}", core::passed()));
  expect_golden("reflect_procedure", reflect_as(ReflectionForm::Procedure, false, run));
  expect_golden("reflect_instructed",
                reflect_prompt(run, {.instruction = " Say it like a pirate. "}));
}

TEST(Prompts, AskForWhatADecisionLacks) {
  const core::Task task{.prompt = "Keep the runs."};
  expect_golden("decide", decision_prompt(task, {.rule = "Use SQLite."}, false));
  expect_golden(
      "decide_significant",
      decision_prompt(task, {.what_happened = "files", .why = "no server", .rule = "Use SQLite."},
                      true));
}

TEST(Prompts, FormsOfReflectionsHaveTheirSchemas) {
  using core::ReflectionForm;
  for (const ReflectionForm form :
       {ReflectionForm::Full, ReflectionForm::Short, ReflectionForm::Procedure}) {
    const ReflectionAsk ask{.form = form};
    const Prompt prompt = reflect_prompt(sample_run(), ask);
    const Json properties = parse_json(reply_schema(ask).value().text).at("properties");
    for (const auto& [key, property] : properties.items())
      EXPECT_NE(prompt.messages[1].text.find(key), std::string::npos) << key;
  }
  EXPECT_EQ(reply_schema({.mars = true}), schema_named("reflection"));
  EXPECT_FALSE(reply_schema({.form = ReflectionForm::Sentence}));
  EXPECT_FALSE(reply_schema({.instruction = "Say why."}));
  expect_keys_of(decision_prompt({}, {}, true), "decision");
}

}  // namespace
}  // namespace hone::prompt
