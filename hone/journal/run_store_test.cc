#include "hone/journal/run_store.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/journal/journal.h"
#include "hone/journal/layout.h"
#include "hone/journal/run_id.h"
#include "hone/journal/testing.h"
#include "hone/sqlite/transaction.h"

namespace hone::journal {
namespace {

class RunStoreTest : public StoreTest {
 protected:
  void begin(const RunHeader& header) {
    Journal journal({.path = path()});
    Recording::record(journal, header);
  }
};

TEST_F(RunStoreTest, WithoutAFileHasNoRuns) {
  RunStore store(path());
  EXPECT_TRUE(store.list().empty());
  EXPECT_EQ(error_of([&] { store.find_run("01"); }).kind(), ErrorKind::NotFound);
  EXPECT_EQ(error_of([&] { store.load("01"); }).kind(), ErrorKind::NotFound);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(RunStoreTest, ListsARunAsTheContractSays) {
  record_run(path(), "01jd0000000run01");
  const auto lines = RunStore(path()).list();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(dump(to_json(lines[0])),
            R"({"run":"01jd0000000run01","state":"finished","task":"memo",)"
            R"("started":"2025-11-21T23:50:00.000000Z","stop":"passed","success":true})");
}

TEST_F(RunStoreTest, ListsTheLatestFirst) {
  RunHeader header = header_of("01a");
  begin(header);
  header.run = "01b";
  header.started += std::chrono::seconds(1);
  begin(header);
  const auto lines = RunStore(path()).list();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].run, "01b");
}

struct Life {
  const char* name;
  ProcessIdentity process;
  State state;
};

TEST_F(RunStoreTest, TellsRunsThatRunFromThoseWhoseProcessIsDead) {
  ProcessIdentity reused = this_process();
  reused.started -= 1;
  ProcessIdentity dead = this_process();
  dead.id = 4'194'305;  // Past the largest id that Linux gives.
  ProcessIdentity elsewhere = dead;
  elsewhere.host = "another-host";
  const Life cases[] = {{"alive", this_process(), State::Running},
                        {"dead", dead, State::Interrupted},
                        {"reused", reused, State::Interrupted},
                        {"elsewhere", elsewhere, State::Running}};
  for (const Life& life : cases) {
    RunHeader header = header_of(life.name);
    header.process = life.process;
    begin(header);
    const RunLine line = RunStore(path()).find_run(life.name);
    EXPECT_EQ(line.state, life.state) << life.name;
    EXPECT_FALSE(line.stop);
    EXPECT_FALSE(line.success);
  }
}

TEST_F(RunStoreTest, FindsARunByTheBeginningOfItsId) {
  for (const char* id : {"01abc", "01abd", "01abd0", "02xyz"}) begin(header_of(id));
  RunStore store(path());
  EXPECT_EQ(store.find_run("02").run, "02xyz");
  EXPECT_EQ(store.find_run("01ABC").run, "01abc");
  EXPECT_EQ(store.find_run("01abd").run, "01abd") << "a whole id wins";
  EXPECT_EQ(error_of([&] { store.find_run("03"); }).message(), "there is no run `03`");
  EXPECT_EQ(error_of([&] { store.find_run("02xyzz"); }).kind(), ErrorKind::NotFound);
  EXPECT_EQ(error_of([&] { store.find_run(""); }).kind(), ErrorKind::NotFound);
  const Error error = error_of([&] { store.find_run("01"); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error.message(),
            "`01` could be any of several runs: 01abc (memo), 01abd (memo), 01abd0 (memo)");
}

TEST_F(RunStoreTest, ShowsWhatARunThatGoesOnHasSoFar) {
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header_of("01abc"));
  core::Task task;
  task.prompt = "Write a memo.";
  const Instant at(std::chrono::seconds(1'763'769'600));
  recording->happened(core::RunStarted{task}, at);
  core::Attempt attempt;
  attempt.number = 1;
  attempt.output.text = "Memo";
  attempt.evaluation = core::failed(Score(0.25), {});
  recording->happened(core::Evaluated{attempt}, at + std::chrono::seconds(2));
  journal.flush();
  const core::Run run = RunStore(path()).load("01abc");
  EXPECT_EQ(run.id, "01abc");
  EXPECT_FALSE(run.stop);
  ASSERT_EQ(run.attempts.size(), 1u);
  EXPECT_EQ(run.attempts[0].output.text, "Memo");
  EXPECT_EQ(run.finished - run.started, std::chrono::seconds(2));
}

TEST_F(RunStoreTest, DerivesItsLinesFromTheRecords) {
  record_run(path(), "01jd0000000run01");
  begin(header_of("01jd0000000run02"));
  const auto before = RunStore(path()).list();
  {
    auto database = sqlite::Database::open({.path = path()});
    database.execute("UPDATE runs SET task = 'lost', state = 'running', stop = NULL");
    sqlite::Transaction transaction(database);
    rebuild_lines(database);
    transaction.commit();
  }
  EXPECT_EQ(RunStore(path()).list(), before);
}

TEST_F(RunStoreTest, NeverChangesARecord) {
  record_run(path(), "01jd0000000run01");
  auto database = sqlite::Database::open({.path = path()});
  EXPECT_THROW(database.execute("UPDATE chunks SET body = ''"), Error);
}

TEST_F(RunStoreTest, SaysThatARecordIsDamaged) {
  record_run(path(), "01jd0000000run01");
  auto database = sqlite::Database::open({.path = path()});
  database.execute("DROP TRIGGER chunks_are_final");
  database.execute(
      "UPDATE chunks SET body = (SELECT body FROM chunks WHERE first = 0) WHERE first > 0");
  const Error error = error_of([&] { RunStore(path()).load("01jd0000000run01"); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_EQ(error.message(),
            "the store `" + path() + "` is damaged: record 5 of a run is not what was written");
}

TEST(RunId, SortsByTimeAndIsShort) {
  core::SeededRandom random(7);
  const Instant at(std::chrono::milliseconds(1'763'769'600'123));
  const std::string early = new_run_id(at, random);
  const std::string twin = new_run_id(at, random);
  const std::string late = new_run_id(at + std::chrono::milliseconds(1), random);
  EXPECT_EQ(early.size(), 16u);
  EXPECT_EQ(early.substr(0, 10), "01kamdrj3v");
  EXPECT_EQ(early.substr(0, 10), twin.substr(0, 10));
  EXPECT_NE(early, twin);
  EXPECT_LT(std::max(early, twin), late);
  EXPECT_EQ(early.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz"), std::string::npos);
}

TEST(DefaultStorePath, FollowsTheEnvironment) {
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_store_path(), "/data/hone/store.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  setenv("HOME", "/people/me", 1);
  EXPECT_EQ(default_store_path(), "/people/me/.local/share/hone/store.db");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_store_path(), "/people/me/.local/share/hone/store.db");
}

}  // namespace
}  // namespace hone::journal
