// Stores that a disk has damaged: every flipped bit is told of, or changes nothing that is read.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "hone/journal/testing.h"
#include "hone/sqlite/database.h"

namespace hone::journal {
namespace {

constexpr const char* kRun = "01jd0000000run01";

class DamageTest : public StoreTest {
 protected:
  DamageTest() {
    record_run(path(), kRun);
    good_ = bytes(path());
  }
  static std::string bytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // A store of its own with these bytes.
  std::string store_of(const std::string& content) {
    const std::string file = directory_ / "damaged.db";
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file + suffix);
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  std::string good_;
};

struct Read {
  std::vector<RunLine> lines;
  core::Run run;
  std::vector<Record> effects;
};

Read read_all(const std::string& file) {
  RunStore store(file);
  RecordedRun recorded = store.recorded(kRun);
  return {store.list(), fold(recorded), std::move(recorded.effects)};
}

TEST_F(DamageTest, IsToldOfOrHarmless) {
  const Read whole = read_all(path());
  std::mt19937 random(20'260'322);
  int told = 0;
  for (int i = 0; i < 400; ++i) {
    std::string content = good_;
    const std::size_t place = random() % content.size();
    content[place] = static_cast<char>(content[place] ^ (1 << random() % 8));
    const std::string file = store_of(content);
    try {
      const Read read = read_all(file);
      EXPECT_EQ(read.lines, whole.lines) << place;
      EXPECT_EQ(read.run, whole.run) << place;
      EXPECT_EQ(read.effects, whole.effects) << place;
    } catch (const Error& error) {
      ++told;
      EXPECT_NE(error.kind(), ErrorKind::Internal) << place << " " << error.message();
      EXPECT_FALSE(error.hint().empty()) << place << " " << error.message();
    }
    EXPECT_EQ(bytes(file), content) << "reading writes nothing";
  }
  EXPECT_GT(told, 20);
}

// What a store has when its process is killed at the third verdict.
std::string unfinished(const std::string& path) {
  std::string content;
  Journal journal({.path = path});
  const auto recording = Recording::record(journal, header_of(kRun));
  FakeModel model([&](const core::ModelRequest& request) {
    if (request.role == core::Role::Evaluate && request.attempt == 3) {
      auto other = sqlite::Database::open({.path = path});
      other.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      std::ifstream in(path, std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(in), {});
    }
    return scripted_reply(request);
  });
  run_recorded(*recording, model);
  return content;
}

// Nothing follows that would miss it.
TEST_F(DamageTest, OfTheEndOfAnUnfinishedRunIsToldOfToo) {
  std::filesystem::create_directory(directory_ / "other");
  const std::string good = unfinished(directory_ / "other" / "store.db");
  const Read whole = read_all(store_of(good));
  ASSERT_EQ(whole.effects.size(), 7u);
  std::mt19937 random(20'261'122);
  int told = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string content = good;
    const std::size_t place = random() % content.size();
    content[place] = static_cast<char>(content[place] ^ (1 << random() % 8));
    try {
      const Read read = read_all(store_of(content));
      EXPECT_TRUE(read.effects == whole.effects) << place << " " << read.effects.size();
      EXPECT_TRUE(read.run == whole.run) << place;
    } catch (const Error& error) {
      ++told;
      EXPECT_NE(error.kind(), ErrorKind::Internal) << place << " " << error.message();
    }
  }
  EXPECT_GT(told, 100);
}

TEST_F(DamageTest, OfTheFrontOfTheFileLeavesTheFileAlone) {
  for (const std::size_t length : {good_.size() / 2, good_.size() - 4096, std::size_t{5000}}) {
    const std::string content = good_.substr(0, length);
    const std::string file = store_of(content);
    const Error error = error_of([&] {
      Journal journal({.path = file});
      RunStore(file).recorded(kRun);
    });
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.message();
    EXPECT_FALSE(error.hint().empty());
    EXPECT_EQ(bytes(file), content) << length;
  }
}

}  // namespace
}  // namespace hone::journal
