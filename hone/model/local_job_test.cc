#include "hone/model/local_job.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <future>
#include <string>
#include <vector>

#include "hone/base/text.h"

namespace hone::model {
namespace {

std::shared_ptr<LocalJob> job_with_seed(std::uint32_t seed) {
  EngineRequest request;
  request.seed = seed;
  return std::make_shared<LocalJob>(std::move(request));
}

TEST(CharacterPieces, HoldACharacterBackUntilItIsWhole) {
  CharacterPieces pieces;
  EXPECT_EQ(pieces.add("a\xF0\x9F"), "a");
  EXPECT_EQ(pieces.add("\x98"), "");
  EXPECT_EQ(pieces.add("\x80"
                       "b"),
            "\xF0\x9F\x98\x80"
            "b");
  EXPECT_EQ(pieces.rest(), "");
}

TEST(CharacterPieces, ReplaceACharacterThatNeverBecameWhole) {
  CharacterPieces pieces;
  EXPECT_EQ(pieces.add("x\xE2\x82"), "x");
  EXPECT_EQ(pieces.rest(), to_utf8("\xE2\x82"));
}

RC_GTEST_PROP(CharacterPieces, GiveTheSameTextHoweverItIsCut,
              (const std::vector<std::string>& parts)) {
  std::string whole;
  std::string given;
  CharacterPieces pieces;
  for (const std::string& part : parts) {
    whole += part;
    const std::string text = pieces.add(part);
    RC_ASSERT(is_utf8(text));
    given += text;
  }
  given += pieces.rest();
  RC_ASSERT(given == to_utf8(whole));
}

RC_GTEST_PROP(CharacterPieces, CutBetweenAnyTwoBytesKeepCharactersWhole, ()) {
  static const std::string text = "aä€\xF0\x9F\x98\x80語";
  const auto cut = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  CharacterPieces pieces;
  std::string given = pieces.add(std::string_view(text).substr(0, cut));
  RC_ASSERT(given.find("\xEF\xBF\xBD") == std::string::npos);
  given += pieces.add(std::string_view(text).substr(cut));
  RC_ASSERT(given == text);
}

TEST(LocalJob, NewsAreWhatCameSinceTheLastTake) {
  LocalJob job{EngineRequest{}};
  EXPECT_FALSE(job.news().is_set());
  job.push("ab");
  job.push("c");
  EXPECT_TRUE(job.news().is_set());
  EXPECT_EQ(job.take().bytes, "abc");
  EXPECT_FALSE(job.news().is_set());
  job.finish();
  const LocalJob::News last = job.take();
  EXPECT_TRUE(last.finished);
  EXPECT_TRUE(last.bytes.empty());
}

TEST(LocalThread, ServesJobsInTheOrderTheyCame) {
  std::vector<std::uint32_t> order;
  std::promise<void> done;
  LocalThread thread([&](LocalJob& job) {
    order.push_back(job.request.seed);
    if (job.request.seed == 3) done.set_value();
  });
  for (std::uint32_t seed = 1; seed <= 3; ++seed) thread.post(job_with_seed(seed));
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(LocalThread, TakesBackOnlyWhatHasNotBegun) {
  std::promise<void> begun;
  std::promise<void> go_on;
  std::vector<std::uint32_t> served;
  LocalThread thread([&](LocalJob& job) {
    served.push_back(job.request.seed);
    begun.set_value();
    go_on.get_future().wait();
  });
  const auto first = job_with_seed(1);
  const auto second = job_with_seed(2);
  thread.post(first);
  thread.post(second);
  begun.get_future().wait();
  EXPECT_FALSE(thread.withdraw(first));
  EXPECT_TRUE(thread.withdraw(second));
  EXPECT_FALSE(thread.withdraw(second));
  go_on.set_value();
  EXPECT_EQ(served, std::vector<std::uint32_t>{1});
}

TEST(LocalThread, ATickWakesThoseThatWait) {
  std::promise<void> begun;
  std::promise<void> go_on;
  LocalThread* self = nullptr;
  LocalThread thread([&](LocalJob&) {
    begun.set_value();
    go_on.get_future().wait();
    self->tick();
  });
  self = &thread;
  const auto first = job_with_seed(1);
  const auto second = job_with_seed(2);
  thread.post(first);
  begun.get_future().wait();
  thread.post(second);
  const OneShot news = second->news();
  EXPECT_FALSE(news.is_set());
  EXPECT_FALSE(first->news().is_set());
  EXPECT_TRUE((thread.tick(), news.is_set()));
  EXPECT_TRUE(first->news().is_set());
  thread.withdraw(second);
  go_on.set_value();
}

TEST(LocalThread, AnExceptionBelongsToItsJobAlone) {
  LocalThread thread([](LocalJob& job) {
    if (job.request.seed == 1) throw std::runtime_error("broken");
  });
  const auto first = job_with_seed(1);
  const auto second = job_with_seed(2);
  thread.post(first);
  thread.post(second);
  while (!second->take().finished) std::this_thread::yield();
  EXPECT_TRUE(first->take().finished);
  EXPECT_TRUE(first->failure);
  EXPECT_FALSE(second->failure);
}

TEST(LocalThread, ItsEndCancelsWhatRunsAndWhatWaits) {
  std::promise<void> begun;
  bool first_saw = false;
  const auto first = job_with_seed(1);
  const auto second = job_with_seed(2);
  {
    LocalThread thread([&](LocalJob& job) {
      if (job.request.seed == 2) return;
      begun.set_value();
      while (!job.is_cancelled()) std::this_thread::yield();
      first_saw = true;
    });
    thread.post(first);
    thread.post(second);
    begun.get_future().wait();
  }
  EXPECT_TRUE(first_saw);
  EXPECT_TRUE(second->is_cancelled());
  EXPECT_TRUE(second->take().finished);
}

}  // namespace
}  // namespace hone::model
