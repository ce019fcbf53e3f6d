#include "hone/prompt/revision.h"

#include <gtest/gtest.h>

#include "hone/prompt/edits.h"
#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

core::Run one_attempt() {
  core::Run run = sample_run();
  run.attempts.pop_back();
  return run;
}

core::Run tie() {
  core::Run run = sample_run();
  run.attempts.back().evaluation.score = Score(0.5);
  return run;
}

std::string user_text(const Prompt& prompt) { return prompt.messages.at(1).text; }

bool shows(const Prompt& prompt, std::string_view text) {
  return user_text(prompt).find(text) != std::string::npos;
}

TEST(RevisionPrompts, RegenerateGivesReasonsAndNoEarlierText) {
  expect_golden("regenerate", regenerate_prompt(sample_run()));
}

TEST(RevisionPrompts, RegenerateWithoutAnyReason) {
  core::Run run = one_attempt();
  run.attempts = {attempt_of(1, "x", core::failed(Score(0), {}))};
  expect_golden("regenerate_bare", regenerate_prompt(run));
}

TEST(RevisionPrompts, FullRewriteShowsTheBestAttemptAndWhatALaterOneBroke) {
  expect_golden("full_rewrite", full_rewrite_prompt(sample_run()));
}

TEST(RevisionPrompts, TargetedEditAsksForEdits) {
  expect_golden("targeted_edit", targeted_edit_prompt(one_attempt()));
}

TEST(RevisionPrompts, OneFaultStandsAlone) {
  const core::Run run = sample_run();
  const RevisionView view{.only = run.attempts[1].evaluation.issues[0]};
  expect_golden("targeted_edit_one_fault", targeted_edit_prompt(run, view));
  const Prompt rewrite = full_rewrite_prompt(run, view);
  EXPECT_TRUE(shows(rewrite, "- /total: is required"));
  EXPECT_TRUE(shows(rewrite, "Correct that one fault and keep all the rest."));
  EXPECT_FALSE(shows(rewrite, "must be 42"));
}

TEST(RevisionPrompts, AskingAgainAddsTheProblemAtTheEnd) {
  const core::Run run = one_attempt();
  const RevisionView view{.problem = "it was empty"};
  expect_golden("targeted_edit_again", targeted_edit_prompt(run, view));
  for (const auto prompt : {regenerate_prompt, full_rewrite_prompt, targeted_edit_prompt}) {
    const std::string first = user_text(prompt(run, {}));
    const std::string again = user_text(prompt(run, view));
    EXPECT_TRUE(again.starts_with(first));
    EXPECT_NE(again.find("it was empty", first.size()), std::string::npos);
  }
}

TEST(RevisionPrompts, ARegressionIsNamed) {
  for (const auto prompt : {regenerate_prompt, full_rewrite_prompt, targeted_edit_prompt}) {
    EXPECT_TRUE(shows(prompt(sample_run(), {}), "A later version broke:\n- /total: is required"));
    EXPECT_FALSE(shows(prompt(one_attempt(), {}), "A later version"));
  }
  EXPECT_TRUE(shows(full_rewrite_prompt(tie()), "A later version has:\n- /total: is required"));
  EXPECT_TRUE(shows(regenerate_prompt(tie()), "Multiply before you add.\n- /total: is required"));
}

TEST(RevisionPrompts, VersionsAreTheNewestThatDiffer) {
  core::Run run = sample_run();
  run.attempts.push_back(attempt_of(3, "third", core::failed(Score(0.1), {})));
  run.attempts.push_back(attempt_of(4, "third", core::failed(Score(0.1), {})));
  run.attempts.back().duplicate_of = 3;
  const Prompt none = full_rewrite_prompt(run);
  EXPECT_FALSE(shows(none, "third"));
  const Prompt one = full_rewrite_prompt(run, {.versions = 1});
  EXPECT_TRUE(shows(one, "Version 3, failed 0.10:\n<version>\nthird\n</version>"));
  EXPECT_FALSE(shows(one, "Version 2"));
  EXPECT_FALSE(shows(one, "Version 4"));
  const Prompt all = full_rewrite_prompt(run, {.versions = std::nullopt});
  EXPECT_TRUE(shows(all, "Version 2"));
  EXPECT_FALSE(shows(all, "Version 1")) << "the best one stands above";
  EXPECT_TRUE(shows(regenerate_prompt(run, {.versions = std::nullopt}), "Version 1, failed 0.50:"));
}

TEST(RevisionPrompts, VersionsAreBounded) {
  core::Run run = sample_run();
  for (int number = 3; number <= 6; ++number) {
    std::string text(kLongestVersions / 2, static_cast<char>('0' + number));
    run.attempts.push_back(attempt_of(number, std::move(text), core::failed(Score(0.1), {})));
  }
  const Prompt prompt = full_rewrite_prompt(run, {.versions = std::nullopt});
  EXPECT_TRUE(shows(prompt, "Version 6"));
  EXPECT_TRUE(shows(prompt, "Version 5"));
  EXPECT_FALSE(shows(prompt, "Version 4"));
}

TEST(RevisionPrompts, WithoutReasonsTheTextStandsAlone) {
  const Prompt prompt = full_rewrite_prompt(sample_run(), {.reasons = false});
  EXPECT_TRUE(shows(prompt, "\"total\": 41"));
  for (const char* text : {"Advice", "Faults", "A later version"}) {
    EXPECT_FALSE(shows(prompt, text)) << text;
  }
}

TEST(RevisionPrompts, AdviceIsOfTheNewestReflections) {
  const Prompt prompt = regenerate_prompt(sample_run(), {.reflections = 1});
  EXPECT_TRUE(shows(prompt, "Put it back."));
  EXPECT_FALSE(shows(prompt, "step by step"));
}

TEST(RevisionPrompts, TagsOfEditsAreNotThoseOfTheText) {
  core::Run run = one_attempt();
  run.attempts[0].output.text = "<search>x</search>";
  const std::string suffix = edit_suffix(run.attempts[0].output.text);
  EXPECT_TRUE(shows(targeted_edit_prompt(run), "\n<search" + suffix + ">\n"));
  EXPECT_TRUE(shows(targeted_edit_prompt(run), "\n</replace" + suffix + ">\n"));
}

}  // namespace
}  // namespace hone::prompt
