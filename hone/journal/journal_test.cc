#include "hone/journal/journal.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <vector>

#include "hone/async/group.h"
#include "hone/journal/record_table.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

class JournalTest : public StoreTest {
 protected:
  std::int64_t count(const std::string& sql) {
    return sqlite::Database::open({.path = path(), .access = sqlite::Access::ReadOnly})
        .integer(sql);
  }
  // In all runs.
  std::size_t records() {
    RunStore store(path());
    std::size_t records = 0;
    for (const RunLine& line : store.list()) records += store.records(line.run).size();
    return records;
  }
};

Record header_record(const std::string& run) {
  Record record;
  record.run = run;
  record.kind = Kind::Header;
  record.answer = to_text(header_of(run));
  return record;
}

Record model_record(const std::string& run, std::int64_t sequence, std::string answer = "{}") {
  Record record;
  record.run = run;
  record.sequence = sequence;
  record.kind = Kind::Model;
  record.path = "attempt/" + std::to_string(sequence);
  record.request = R"({"n":1})";
  record.answer = std::move(answer);
  record.at = Instant(Duration(1'763'769'600'123'456'789));
  return record;
}

TEST_F(JournalTest, GivesRecordsBackAsTheyWere) {
  Record record = model_record("run1", 1, R"({"text":")" + std::string(4000, 'x') + R"("})");
  record.prompt = "judge 0123456789ab";
  record.redacted = record.failed = true;
  {
    Journal journal({.path = path()});
    journal.append(header_record("run1"));
    journal.append(record);
  }
  const RecordedRun run = RunStore(path()).recorded("run1");
  ASSERT_EQ(run.effects.size(), 1u);
  record.run.clear();
  EXPECT_EQ(run.effects[0], record);
  EXPECT_EQ(run.header, header_of("run1"));
  EXPECT_EQ(run.next_sequence, 2);
}

TEST_F(JournalTest, StoresTheTextsOfManyAttemptsOnce) {
  const std::string task(20'000, 't');
  {
    Journal journal({.path = path()});
    journal.append(header_record("run1"));
    for (int i = 1; i <= 10; ++i) {
      Record record = model_record("run1", i);
      record.request = R"({"messages":[{"text":")" + task + R"("},{"text":"attempt )" +
                       std::to_string(i) + R"("}]})";
      journal.append(record);
    }
  }
  EXPECT_EQ(count("SELECT count(*) FROM texts"), 1);
  EXPECT_LT(count("SELECT sum(length(body)) FROM chunks"), 2'000);
  EXPECT_EQ(RunStore(path()).recorded("run1").effects.size(), 10u);
}

async<void> append_and_wait(Journal& journal, std::string run, int records) {
  journal.append(header_record(run));
  for (int i = 1; i <= records; ++i) {
    journal.append(model_record(run, i));
    co_await journal.durable(run);
  }
}

TEST_F(JournalTest, LetsManyRunsShareOneWrite) {
  {
    Journal journal({.path = path()});
    const auto start = [&](std::size_t i) {
      return append_and_wait(journal, "run" + std::to_string(100 + i), 5);
    };
    run_sync([&] { return for_each_index(50, 50, start); });
    EXPECT_EQ(records(), 50 * 6);
    EXPECT_LE(journal.commits(), 20) << "of 250 waits";
  }
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 50);
}

TEST_F(JournalTest, WritesRecordsThatNobodyWaitsForSoonAfter) {
  Journal journal({.path = path()});
  journal.append(header_record("run1"));
  journal.flush();
  EXPECT_EQ(records(), 1);
  journal.flush();
  EXPECT_EQ(journal.commits(), 1);
}

async<void> wait_for(Journal& journal, std::string run) { co_await journal.durable(run); }

TEST_F(JournalTest, SharesItsStoreWithOtherProcesses) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i] {
      Journal journal({.path = path()});
      run_sync([&] { return append_and_wait(journal, "run" + std::to_string(i), 10); });
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(records(), 4 * 11);
  EXPECT_EQ(RunStore(path()).list().size(), 4u);
}

TEST_F(JournalTest, RefusesARunThatAnotherGoesOnWith) {
  Instant now = Instant(std::chrono::seconds(1'763'769'600));
  const LeaseOptions lease{.now = [&] { return now; }};
  Journal first({.path = path(), .lease = lease});
  Journal second({.path = path(), .lease = lease});
  first.append(header_record("run1"));
  first.append(header_record("run2"));
  first.flush();
  EXPECT_EQ(error_of([&] { second.claim("run1", 1); }).kind(), ErrorKind::Unavailable);
  now += std::chrono::seconds(31);
  second.claim("run1", 1);
  second.append(model_record("run1", 1));
  second.flush();
  first.append(model_record("run1", 1));
  first.append(model_record("run1", 2));
  first.append(model_record("run2", 1));
  const Error error = error_of([&] { run_sync([&] { return wait_for(first, "run1"); }); });
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_EQ(error.message(), "run run1 is no longer ours: another process goes on with it");
  run_sync([&] { return wait_for(first, "run2"); });
  EXPECT_EQ(RunStore(path()).recorded("run1").effects.size(), 1u);
  EXPECT_EQ(RunStore(path()).recorded("run2").effects.size(), 1u);
}

TEST_F(JournalTest, GoesOnAfterAnotherHadGoneOnWithTheRun) {
  Instant now = Instant(std::chrono::seconds(1'763'769'600));
  const LeaseOptions lease{.now = [&] { return now; }};
  Journal first({.path = path(), .lease = lease});
  first.append(header_record("run1"));
  first.append(model_record("run1", 1));
  first.flush();
  now += std::chrono::seconds(31);
  {
    Journal second({.path = path(), .lease = lease});
    second.claim("run1", 2);
    second.append(model_record("run1", 2, R"({"text":")" + noise(300) + R"("})"));
    second.flush();
  }
  first.claim("run1", 3);
  first.append(model_record("run1", 3));
  first.flush();
  EXPECT_EQ(RunStore(path()).recorded("run1").effects.size(), 3u);
}

// Two tables at one run, as two processes would be whose leases failed them.
TEST_F(JournalTest, WritesNothingOverWhatSomebodyElseWrote) {
  auto database = open_store(path());
  RecordTable one(database);
  RecordTable other(database);
  const Record header = header_record("run1");
  const Record theirs = model_record("run1", 1, R"({"n":1})");
  const Record ours = model_record("run1", 1, R"({"n":2})");
  ASSERT_TRUE(one.add(header));
  EXPECT_TRUE(one.write().empty());
  ASSERT_TRUE(other.add(theirs));
  EXPECT_TRUE(other.write().empty());
  ASSERT_TRUE(one.add(ours));
  EXPECT_EQ(one.write(), std::vector<std::string>{"run1"});
  EXPECT_EQ(RunStore(path()).recorded("run1").effects.at(0).answer, R"({"n":1})");
}

TEST_F(JournalTest, TellsThatARecordInTheMiddleIsMissing) {
  auto database = open_store(path());
  RecordTable table(database);
  std::vector<Record> records{header_record("run1")};
  for (int i = 1; i <= 3; ++i) records.push_back(model_record("run1", i));
  for (const Record& record : records) {
    ASSERT_TRUE(table.add(record));
    EXPECT_TRUE(table.write().empty());
    table.forget("run1");  // So that each stands alone.
  }
  database.execute("DELETE FROM chunks WHERE first = 2");
  const Error error = error_of([&] { RunStore(path()).recorded("run1"); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(error.message().find("record 2 of a run is missing"), std::string::npos)
      << error.message();
}

TEST_F(JournalTest, TellsThatTheDiskIsFullAndKeepsWhatIsCommitted) {
  Journal journal({.path = path(), .largest_size = 100'000});
  journal.append(header_record("run1"));
  journal.append(model_record("run1", 1));
  journal.flush();
  journal.append(model_record("run1", 2, R"({"text":")" + noise(400'000) + R"("})"));
  const Error error = error_of([&] { run_sync([&] { return wait_for(journal, "run1"); }); });
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_EQ(error.message(), "the store `" + path() + "` cannot grow: the disk is full");
  EXPECT_EQ(RunStore(path()).recorded("run1").effects.size(), 1u);
  EXPECT_THROW(journal.flush(), Error) << "it still cannot";
}

TEST_F(JournalTest, WritesWhatALockedStoreHeldBackWhenItIsFree) {
  Journal journal({.path = path(), .busy_timeout = std::chrono::milliseconds(1)});
  journal.append(header_record("run1"));
  journal.flush();
  auto other = sqlite::Database::open({.path = path()});
  other.execute("BEGIN IMMEDIATE");
  journal.append(model_record("run1", 1));
  EXPECT_EQ(error_of([&] { journal.flush(); }).kind(), ErrorKind::Unavailable);
  other.execute("ROLLBACK");
  journal.append(model_record("run1", 2));
  journal.flush();
  EXPECT_EQ(RunStore(path()).recorded("run1").effects.size(), 2u);
}

struct BadStore {
  const char* name;
  std::function<void(const std::string&)> make;
  ErrorKind kind;
  const char* message;  // After the path.
};

TEST_F(JournalTest, SaysWhatIsWrongWithAStore) {
  namespace fs = std::filesystem;
  const auto good = [](const std::string& file) { record_run(file, "run1"); };
  const auto run_sql = [](const std::string& file, const char* sql) {
    sqlite::Database::open({.path = file}).execute(sql);
  };
  const std::vector<BadStore> cases = {
      {"directory", [](const std::string& file) { fs::create_directory(file); },
       ErrorKind::InvalidInput, "` is a directory"},
      {"garbage", [](const std::string& file) { std::ofstream(file) << std::string(9000, '?'); },
       ErrorKind::Corrupt, "` is damaged: file is not a database"},
      {"truncated",
       [&](const std::string& file) {
         good(file);
         fs::resize_file(file, 2 * 4096 + 17);
       },
       ErrorKind::Corrupt, "` is damaged: database disk image is malformed"},
      {"newer",
       [&](const std::string& file) {
         good(file);
         run_sql(file, "PRAGMA user_version = 99");
       },
       ErrorKind::Unsupported, "` was written by a newer version of hone"},
      {"foreign", [&](const std::string& file) { run_sql(file, "CREATE TABLE mine (a)"); },
       ErrorKind::InvalidInput, "` is a database of another program, not a run store of hone"},
  };
  for (const BadStore& store : cases) {
    const std::string file = directory_ / store.name;
    store.make(file);
    for (const bool reads : {true, false}) {
      const Error error = error_of([&] {
        if (reads) RunStore(file).list();
        if (!reads) Journal journal({.path = file});
      });
      EXPECT_EQ(error.kind(), store.kind) << store.name;
      EXPECT_NE(error.message().find(file + store.message), std::string::npos) << error.message();
      EXPECT_FALSE(error.hint().empty()) << store.name;
    }
  }
}

TEST_F(JournalTest, LeavesNoOpenTransactionWhenItFails) {
  {
    Journal journal({.path = path()});
    Record broken = header_record("run1");
    broken.answer = "no JSON";
    journal.append(broken);
    EXPECT_THROW(journal.flush(), Error);
  }
  EXPECT_EQ(records(), 0);
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 0);
}

}  // namespace
}  // namespace hone::journal
