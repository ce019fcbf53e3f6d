#include "hone/journal/housekeeping.h"

#include <gtest/gtest.h>

#include <array>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

const std::array<std::string, 1> kFirst{"01jd0000000run01"};
const std::string kSecond = "01jd0000000run02";

class HousekeepingTest : public StoreTest {
 protected:
  std::int64_t count(const std::string& table) {
    auto database = sqlite::Database::open({.path = path(), .access = sqlite::Access::ReadOnly});
    return database.integer("SELECT count(*) FROM " + table);
  }
};

// A task that other runs may have too.
RunHeader long_header_of(const std::string& id, const std::string& word) {
  RunHeader header = header_of(id);
  header.task.text = R"({"task":")" + std::string(600, word.front()) + R"("})";
  return header;
}

core::Run record_run_of(const std::string& path, const std::string& id, const std::string& word) {
  Journal journal({.path = path});
  const auto recording = Recording::record(journal, long_header_of(id, word));
  FakeModel model([&](const core::ModelRequest& request) {
    core::ModelReply answer = scripted_reply(request);
    if (request.role != core::Role::Evaluate) answer.text += noise(400'000) + word;
    return answer;
  });
  return run_recorded(*recording, model);
}

TEST_F(HousekeepingTest, ARemovedRunLeavesNothingBehind) {
  const core::Run second = record_run(path(), kSecond);
  const auto chunks = count("chunks");
  const auto texts = count("texts");
  record_run_of(path(), kFirst.front(), "apple");
  ASSERT_GT(count("texts"), texts);
  const Removal removal = remove_runs(path(), kFirst);
  EXPECT_EQ(removal.runs, 1u);
  EXPECT_GT(removal.bytes, 300'000);
  EXPECT_FALSE(removal.kept_texts);
  EXPECT_EQ(count("chunks"), chunks);
  EXPECT_EQ(count("texts"), texts);
  EXPECT_EQ(count("runs"), 1);
  EXPECT_EQ(RunStore(path()).load(kSecond), second);
  EXPECT_EQ(remove_runs(path(), kFirst).runs, 0u);
}

// Their texts are in use as well.
TEST_F(HousekeepingTest, WhatTheOtherRunsReferToStays) {
  const core::Run second = record_run_of(path(), kSecond, "pear");
  record_run_of(path(), kFirst.front(), "apple");
  EXPECT_EQ(count("texts"), 2);
  remove_runs(path(), kFirst);
  EXPECT_EQ(count("texts"), 1);
  EXPECT_EQ(RunStore(path()).load(kSecond), second);
  EXPECT_EQ(RunStore(path()).recorded(kSecond).effects.size(), 8u);
}

TEST_F(HousekeepingTest, ARunThatGoesOnStays) {
  record_run(path(), kSecond);
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header_of(kFirst.front()));
  journal.flush();
  const std::array both{kSecond, kFirst.front()};
  const Error error = error_of([&] { (void)remove_runs(path(), both); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_NE(error.message().find("goes on in process"), std::string::npos) << error.message();
  EXPECT_EQ(RunStore(path()).list().size(), 2u);
}

// A journal that is open remembers which texts are stored.
TEST_F(HousekeepingTest, AJournalThatIsOpenWritesTextsAgainThatWereRemoved) {
  Journal journal({.path = path()});
  const auto play = [&](const std::string& id) {
    const auto recording = Recording::record(journal, long_header_of(id, "apple"));
    FakeModel model(scripted_reply);
    return run_recorded(*recording, model);
  };
  play(kFirst.front());
  ASSERT_EQ(count("texts"), 1);
  remove_runs(path(), kFirst);
  EXPECT_EQ(count("texts"), 0);
  const core::Run second = play(kSecond);
  EXPECT_EQ(RunStore(path()).load(kSecond), second);
}

TEST_F(HousekeepingTest, ARunComesInOnce) {
  record_run(path(), kFirst.front());
  const auto records = RunStore(path()).records(kFirst.front());
  const std::string other = directory_ / "deep" / "other.db";
  add_run(other, records);
  EXPECT_EQ(RunStore(other).records(kFirst.front()), records);
  const Error error = error_of([&] { add_run(other, records); });
  EXPECT_EQ(error.message(), "there is a run 01jd0000000run01 in the store already");
  EXPECT_EQ(RunStore(other).records(kFirst.front()), records);
}

}  // namespace
}  // namespace hone::journal
