#include "hone/reflect/generator.h"

#include <gtest/gtest.h>

#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

async<void> generate_into(core::Output& output, core::Context context, core::Generator& generator,
                          const core::Run& run) {
  output = co_await generator.generate(std::move(context), run);
}

core::Output generated(core::Model& model, core::Sampling sampling = {}) {
  core::TestScene scene;
  ModelGenerator generator(model, sampling);
  const core::Run run = some_run();
  const core::Context context = context_of(scene, 1, "generate");
  core::Output output;
  run_sync([&] { return generate_into(output, context, generator, run); });
  return output;
}

TEST(ModelGenerator, TheReplyIsTheOutputByteForByte) {
  FakeModel model({reply("  42\n\n", core::Finish::Length)});
  const core::Output output = generated(model);
  EXPECT_EQ(output.text, "  42\n\n");
  EXPECT_EQ(output.finish, core::Finish::Length);
  EXPECT_EQ(output.model, "fake-1");
  EXPECT_EQ(output.strategy, "");
}

async<void> generate_unseen(ModelGenerator& generator, core::Context context) {
  core::NoEvents nobody;
  context.events = &nobody;
  const core::Run run = some_run();
  const core::Output unused = co_await generator.generate(context, run);
}

TEST(ModelGenerator, AsksForNoDraftsWhereNobodyLooks) {
  FakeModel model({reply("42")});
  ModelGenerator generator(model);
  core::TestScene scene;
  const core::Context context = context_of(scene, 1, "generate");
  run_sync([&] { return generate_unseen(generator, context); });
  EXPECT_FALSE(model.asked.at(0).drafts);
}

TEST(ModelGenerator, AsksForTheSchemaOfTheOutput) {
  FakeModel model({reply("{}")});
  ModelGenerator generator(model, {}, JsonText{R"({"type":"object"})"});
  core::TestScene scene;
  const core::Context context = context_of(scene, 1, "generate");
  run_sync([&] { return generate_unseen(generator, context); });
  EXPECT_EQ(model.asked.at(0).schema, (JsonText{R"({"type":"object"})"}));
}

TEST(ModelGenerator, AsksForDraftsOfTheTask) {
  FakeModel model({reply("42")});
  generated(model);
  const core::ModelRequest& request = model.asked.at(0);
  EXPECT_EQ(request.role, core::Role::Generate);
  EXPECT_EQ(request.attempt, 1);
  EXPECT_TRUE(request.drafts);
  EXPECT_FALSE(request.schema);
  EXPECT_EQ(request.sampling.temperature, 0.7);
  EXPECT_FALSE(request.sampling.seed);
  EXPECT_EQ(request.prompt.name, "generate");
  EXPECT_EQ(request.messages.back().text, "Add 20 and 22.");
  EXPECT_EQ(model.paths.at(0), "attempt/1/generate/ask/1");
}

TEST(ModelGenerator, ItsSeedDependsOnTheBase) {
  FakeModel model({reply("a"), reply("b"), reply("c")});
  generated(model, {.temperature = 0.2, .seed = 1});
  generated(model, {.seed = 1});
  generated(model, {.seed = 2});
  EXPECT_EQ(model.asked[0].sampling.temperature, 0.2);
  ASSERT_TRUE(model.asked[0].sampling.seed);
  EXPECT_EQ(model.asked[0].sampling.seed, model.asked[1].sampling.seed);
  EXPECT_NE(model.asked[0].sampling.seed, model.asked[2].sampling.seed);
}

TEST(ModelGenerator, PassesFailuresOn) {
  FakeModel model({failure(ErrorKind::Unavailable)});
  EXPECT_THROW(generated(model), Error);
}

}  // namespace
}  // namespace hone::reflect
