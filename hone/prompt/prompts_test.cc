#include "hone/prompt/prompts.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/templates.h"
#include "hone/prompt/testing.h"
#include "hone/template/template.h"

namespace hone::prompt {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Tests run in the root of the source.
void expect_golden(const std::string& name, const Prompt& prompt) {
  const std::string path = "tests/golden/prompts/" + name + ".txt";
  if (std::getenv("HONE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << shown(prompt);
  EXPECT_EQ(read_file(path), shown(prompt)) << path;
}

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

TEST(Prompts, RegenerateGivesReasonsAndNoEarlierText) {
  expect_golden("regenerate", regenerate_prompt(sample_run()));
}

TEST(Prompts, RegenerateWithoutAnyReason) {
  core::Run run = first_attempt();
  run.attempts.push_back(attempt_of(1, "x", core::failed(Score(0), {})));
  expect_golden("regenerate_bare", regenerate_prompt(run));
}

TEST(Prompts, FullRewriteShowsTheBestAttempt) {
  expect_golden("full_rewrite", full_rewrite_prompt(sample_run()));
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
  EXPECT_THROW(render("poem", Json::object()), Error);
  EXPECT_THROW(schema_named("poem"), Error);
}

TEST(Prompts, InvalidUtf8IsReplacedNotFatal) {
  const Prompt prompt = judge_prompt(first_attempt(), {.text = "a\xff\xfe z"}, kRubric);
  EXPECT_NE(prompt.messages[1].text.find("a\uFFFD\uFFFD z"), std::string::npos);
}

// Three attempts with answers of 500 characters to a task of 320; judge and reflector reply in one
// short sentence each.
TEST(Prompts, AWholeRunStaysUnder7000Characters) {
  core::Run run;
  run.task.prompt = std::string(320, 't');
  const Rubric rubric{std::string(30, 'r'), ""};
  std::size_t total = width(joined(generate_prompt(run)));
  for (int number = 1; number <= 3; ++number) {
    const auto letter = static_cast<char>('a' + number);
    const core::Output output{.text = std::string(500, letter)};
    total += width(joined(judge_prompt(run, output, rubric)));
    if (number == 3) break;
    const core::Issue issue = issue_of("judge", "", std::string(50, letter));
    run.attempts.push_back(attempt_of(number, output.text, core::failed(Score(0.4), {issue})));
    total += width(joined(reflect_prompt(run)));
    run.attempts.back().reflection.emplace();
    run.attempts.back().reflection->text = std::string(60, letter);
    total += width(joined(regenerate_prompt(run)));
  }
  EXPECT_LE(total, 7000U);
  RecordProperty("characters", static_cast<int>(total));
}

}  // namespace
}  // namespace hone::prompt
