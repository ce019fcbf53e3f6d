#include "hone/reflect/reviser.h"

#include <gtest/gtest.h>

#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

async<void> revise_into(core::Output& output, core::Context context, core::Reviser& reviser,
                        const core::Run& run) {
  output = co_await reviser.revise(std::move(context), run);
}

core::Output revised(core::Reviser& reviser, const core::Run& run) {
  core::TestScene scene;
  const core::Context context = context_of(scene, run.next_number(), "revise");
  core::Output output;
  run_sync([&] { return revise_into(output, context, reviser, run); });
  return output;
}

bool shows(const core::ModelRequest& request, std::string_view text) {
  return request.messages.back().text.find(text) != std::string::npos;
}

TEST(Regenerate, ShowsTheReasonsAndNoEarlierText) {
  FakeModel model({reply(" 42 ")});
  Regenerate reviser(model);
  const core::Output output = revised(reviser, two_attempts());
  EXPECT_EQ(output.text, " 42 ");
  EXPECT_EQ(output.strategy, "regenerate");
  const core::ModelRequest& request = model.asked.at(0);
  EXPECT_EQ(request.role, core::Role::Revise);
  EXPECT_EQ(request.attempt, 3);
  EXPECT_TRUE(request.drafts);
  EXPECT_EQ(request.prompt.name, "regenerate");
  EXPECT_EQ(model.paths.at(0), "attempt/3/revise/ask/1");
  EXPECT_TRUE(shows(request, "too high"));
  EXPECT_FALSE(shows(request, "first text"));
  EXPECT_FALSE(shows(request, "second text"));
}

// Edits are no output: they are free of its schema, the whole text that follows them is not.
TEST(ModelReviser, AsksForTheSchemaWhereTheWholeTextIsWritten) {
  FakeModel model({reply("no edits"), reply("none again"), reply("{}")});
  const RevisionOptions options{.strategy = Strategy::TargetedEdit};
  ModelReviser reviser(model, options, {}, JsonText{R"({"type":"object"})"});
  revised(reviser, two_attempts());
  ASSERT_EQ(model.asked.size(), 3U);
  EXPECT_FALSE(model.asked[0].schema);
  EXPECT_FALSE(model.asked[1].schema);
  EXPECT_EQ(model.asked[2].schema, (JsonText{R"({"type":"object"})"}));
}

TEST(FullRewrite, ShowsTheBestAttempt) {
  FakeModel model({reply("42")});
  FullRewrite reviser(model);
  EXPECT_EQ(revised(reviser, two_attempts()).strategy, "full_rewrite");
  EXPECT_EQ(model.asked.at(0).role, core::Role::Revise);
  EXPECT_TRUE(shows(model.asked[0], "second text"));
  EXPECT_FALSE(shows(model.asked[0], "first text"));
}

TEST(FullRewrite, RegeneratesAfterARepeat) {
  FakeModel model({reply("42")});
  FullRewrite reviser(model);
  EXPECT_EQ(revised(reviser, with_repeats(two_attempts(), 1)).strategy,
            "regenerate (after a repeat)");
  EXPECT_FALSE(shows(model.asked.at(0), "second text"));
}

core::Output revised(FakeModel& model, Strategy strategy, const core::Run& run) {
  ModelReviser reviser(model, {.strategy = strategy});
  return revised(reviser, run);
}

const char* const kFits = "<search>\nsecond\n</search>\n<replace>\nthird\n</replace>";
const char* const kUnfit = "<search>\nfirst\n</search>\n<replace>\nthird\n</replace>";

TEST(TargetedEdit, AppliesTheEditsToTheBestText) {
  FakeModel model({reply(kFits)});
  const core::Output output = revised(model, Strategy::TargetedEdit, two_attempts());
  EXPECT_EQ(output.text, "third text");
  EXPECT_EQ(output.finish, core::Finish::Complete);
  EXPECT_EQ(output.strategy, "targeted_edit");
  EXPECT_EQ(output.model, "fake-1");
  EXPECT_EQ(model.asked.at(0).prompt.name, "targeted_edit");
  EXPECT_FALSE(model.asked[0].drafts) << "edits are no draft of the output";
  EXPECT_TRUE(shows(model.asked[0], "second text"));
}

TEST(TargetedEdit, AsksOnceMoreWithWhatDidNotFit) {
  FakeModel model({reply(kUnfit), reply(kFits)});
  EXPECT_EQ(revised(model, Strategy::TargetedEdit, two_attempts()).text, "third text");
  EXPECT_TRUE(shows(model.asked.at(1), "edit 1: its search text does not occur"));
  EXPECT_TRUE(shows(model.asked[1], "`first`"));
  EXPECT_EQ(model.paths.at(1), "attempt/3/revise/ask/2");
}

TEST(TargetedEdit, FallsBackToAFullRewrite) {
  for (const char* bad : {"", "second text, improved", "<search>", kUnfit}) {
    FakeModel model({reply(bad), reply(kUnfit), reply("whole")});
    const core::Output output = revised(model, Strategy::TargetedEdit, two_attempts());
    EXPECT_EQ(output.text, "whole") << bad;
    EXPECT_EQ(output.strategy, "full_rewrite after targeted_edit");
    EXPECT_EQ(model.asked.at(2).prompt.name, "full_rewrite");
    EXPECT_TRUE(model.asked[2].drafts);
    EXPECT_EQ(model.paths.at(2), "attempt/3/revise/ask/3");
  }
}

TEST(TargetedEdit, EditsThatWereCutOffDoNotFit) {
  FakeModel model({reply(kFits, core::Finish::Length), reply(kFits, core::Finish::Interrupted),
                   reply("who", core::Finish::Length)});
  const core::Output output = revised(model, Strategy::TargetedEdit, two_attempts());
  EXPECT_EQ(output.text, "who");
  EXPECT_EQ(output.finish, core::Finish::Length);
  EXPECT_TRUE(shows(model.asked.at(1), "it was cut off at the token limit"));
}

TEST(Incremental, WorksOnOneIssue) {
  core::Run run = two_attempts();
  core::Issue other;
  other.message = "too long";
  run.attempts.back().evaluation.issues.push_back(other);
  FakeModel model({reply(kUnfit), reply(""), reply("whole")});
  EXPECT_EQ(revised(model, Strategy::Incremental, run).strategy, "full_rewrite after incremental");
  for (const core::ModelRequest& request : model.asked) {
    EXPECT_TRUE(shows(request, "too high"));
    EXPECT_FALSE(shows(request, "too long"));
  }
}

TEST(Hybrid, RecordsWhatItChoseAndWhy) {
  core::Run run = two_attempts();
  run.attempts.back().evaluation = core::failed(Score(0.6), {});
  run.attempts.back().evaluation.issues.resize(1);
  run.attempts.back().evaluation.issues[0].line = 1;
  FakeModel model({reply(kFits), reply("x"), reply("y"), reply("whole")});
  EXPECT_EQ(revised(model, Strategy::Hybrid, run).strategy,
            "targeted_edit (hybrid: 1 of 1 issues have a place)");
  EXPECT_EQ(revised(model, Strategy::Hybrid, run).strategy,
            "full_rewrite after targeted_edit (hybrid: 1 of 1 issues have a place)");
}

TEST(EmptyRevisions, AreAskedForOnceMoreThenKept) {
  for (const Strategy strategy : {Strategy::Regenerate, Strategy::FullRewrite}) {
    FakeModel model({reply(" \n"), reply("42"), reply(""), reply("\n")});
    EXPECT_EQ(revised(model, strategy, two_attempts()).text, "42");
    EXPECT_TRUE(shows(model.asked.at(1), "could not be used: it was empty"));
    EXPECT_EQ(revised(model, strategy, two_attempts()).text, "\n");
    EXPECT_EQ(model.asked.size(), 4U);
  }
}

TEST(EmptyRevisions, ThatWereCutOffAreNotAskedForAgain) {
  FakeModel model({reply("", core::Finish::Length)});
  EXPECT_EQ(revised(model, Strategy::Regenerate, two_attempts()).finish, core::Finish::Length);
}

TEST(FreshPolicy, ShowsTheTaskAlone) {
  FakeModel model({reply("42")});
  ModelReviser reviser(model, {.policy = policy_named("fresh")});
  EXPECT_EQ(revised(reviser, two_attempts()).strategy, "regenerate (policy fresh)");
  EXPECT_EQ(model.asked.at(0).messages.back().text, "Add 20 and 22.");
  EXPECT_EQ(model.asked[0].role, core::Role::Revise);
}

TEST(RevisionOptions, PriorVersionsAndReflectionsAreCounted) {
  core::Run run = two_attempts();
  for (core::Attempt& attempt : run.attempts) {
    attempt.reflection.emplace().text = "Advice of " + attempt.output.text;
  }
  FakeModel model({reply("42"), reply("42")});
  ModelReviser all(model, {.strategy = Strategy::FullRewrite, .include_prior_versions = 1});
  revised(all, run);
  EXPECT_TRUE(shows(model.asked.at(0), "Version 1, failed 0.10:"));
  EXPECT_TRUE(shows(model.asked[0], "Advice of first text"));
  ModelReviser newest(model, {.include_reflection_history = 1});
  revised(newest, run);
  EXPECT_FALSE(shows(model.asked.at(1), "Advice of first text"));
  EXPECT_TRUE(shows(model.asked[1], "Advice of second text"));
}

TEST(Regenerate, EachAttemptHasItsOwnSeed) {
  FakeModel model({reply("a"), reply("b")});
  Regenerate reviser(model, {.seed = 7});
  revised(reviser, two_attempts());
  revised(reviser, with_repeats(two_attempts(), 1));
  ASSERT_TRUE(model.asked[0].sampling.seed);
  EXPECT_NE(model.asked[0].sampling.seed, model.asked[1].sampling.seed);
  EXPECT_LE(*model.asked[0].sampling.seed, 0x7fffffffU);
}

}  // namespace
}  // namespace hone::reflect
