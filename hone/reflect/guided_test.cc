#include "hone/reflect/guided.h"

#include <gtest/gtest.h>

#include "hone/reflect/generator.h"
#include "hone/reflect/reviser.h"
#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

async<void> write(core::Output& output, Guided& guided, core::Context context,
                  const core::Run& run) {
  if (run.attempts.empty()) {
    output = co_await guided.generate(context, run);
  } else {
    output = co_await guided.revise(context, run);
  }
}

std::string asked(int attempt, const core::Run& run, int from) {
  FakeModel model({reply("text")});
  ModelGenerator generator(model);
  ModelReviser reviser(model);
  Guided guided(generator, reviser, "Mention the harbour.", from);
  core::TestScene scene;
  core::Output output;
  run_sync([&] {
    return write(output, guided, context_of(scene, attempt, attempt == 1 ? "generate" : "revise"),
                 run);
  });
  EXPECT_EQ(output.text, "text");
  return model.asked.at(0).messages.back().text;
}

bool mentions(const std::string& prompt) {
  return prompt.find("Mention the harbour.") != std::string::npos;
}

TEST(Guided, AddsThePersonsWordsToTheTaskFromItsAttemptOn) {
  const std::string first = asked(1, some_run(), 1);
  EXPECT_TRUE(first.starts_with("Add 20 and 22.")) << first;
  EXPECT_TRUE(mentions(first)) << first;
  EXPECT_FALSE(mentions(asked(1, some_run(), 2)));
  EXPECT_TRUE(mentions(asked(3, two_attempts(), 3)));
  EXPECT_TRUE(mentions(asked(3, two_attempts(), 2)));
  EXPECT_FALSE(mentions(asked(3, two_attempts(), 4)));
}

}  // namespace
}  // namespace hone::reflect
