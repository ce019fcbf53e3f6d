#include "hone/journal/lease.h"

#include <gtest/gtest.h>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

constexpr const char* kRun = "01jd0000000run01";

async<void> wait_for_run(Journal& journal) { co_await journal.durable(kRun); }

class LeaseTest : public StoreTest {
 protected:
  std::shared_ptr<Journal> journal() {
    return std::make_shared<Journal>(JournalOptions{
        .path = path(),
        .lease = {.length = std::chrono::seconds(30), .now = [this] { return now_; }}});
  }
  void run_sql(const char* sql) { sqlite::Database::open({.path = path()}).execute(sql); }
  std::int64_t count(const char* table) {
    return sqlite::Database::open({.path = path()})
        .integer(std::string("SELECT count(*) FROM ") + table);
  }
  RecordedRun begin(Journal& journal) {
    Recording::record(journal, header_of(kRun));
    journal.flush();
    return RunStore(path()).recorded(kRun);
  }

  Instant now_{std::chrono::seconds(1'763'769'600)};
};

TEST_F(LeaseTest, BelongsToWhoBeganTheRun) {
  const auto first = journal();
  const RecordedRun past = begin(*first);
  const auto second = journal();
  const Error error = error_of([&] { Recording::resume(*second, past, this_process()); });
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_EQ(error.message(), "run 01jd0000000run01 goes on in process " +
                                 std::to_string(this_process().id) + " on " + this_process().host);
  Recording::resume(*first, past, this_process());
  first->flush();
}

TEST_F(LeaseTest, IsFreeWhenItsJournalIsClosed) {
  auto first = journal();
  const RecordedRun past = begin(*first);
  first.reset();
  EXPECT_EQ(count("leases"), 0);
  EXPECT_EQ(count("holders"), 0);
  const auto second = journal();
  Recording::resume(*second, past, this_process());
  second->flush();
}

TEST_F(LeaseTest, IsFreeWhenTheRunIsFinished) {
  const auto first = journal();
  const auto recording = Recording::record(*first, header_of(kRun));
  FakeModel model(scripted_reply);
  run_recorded(*recording, model);
  EXPECT_EQ(count("leases"), 0);
}

TEST_F(LeaseTest, EndsWhenItsHolderIsNotHeardOf) {
  const auto first = journal();
  const RecordedRun past = begin(*first);
  const auto second = journal();
  now_ += std::chrono::seconds(29);
  EXPECT_THROW(second->claim(kRun, past.next_sequence), Error);
  now_ += std::chrono::seconds(2);
  Recording::resume(*second, past, this_process());
  second->flush();
  // The first one wakes up: what it writes is refused, and it is told.
  Record late;
  late.run = kRun;
  late.sequence = past.next_sequence;
  late.answer = "{}";
  first->append(late);
  EXPECT_EQ(error_of([&] { run_sync([&] { return wait_for_run(*first); }); }).kind(),
            ErrorKind::Unavailable);
  EXPECT_EQ(RunStore(path()).recorded(kRun).next_sequence, past.next_sequence + 1);
}

TEST_F(LeaseTest, IsKeptByEveryWrite) {
  const auto first = journal();
  begin(*first);
  for (int i = 0; i < 5; ++i) {
    now_ += std::chrono::seconds(20);
    Record record;
    record.run = kRun;
    record.sequence = i + 1;
    record.kind = Kind::Model;
    record.answer = "{}";
    first->append(record);
    first->flush();
  }
  const auto second = journal();
  EXPECT_THROW(second->claim(kRun, 6), Error) << "100 seconds after it began";
}

TEST_F(LeaseTest, OfADeadProcessIsTakenAtOnce) {
  const auto first = journal();
  const RecordedRun past = begin(*first);
  run_sql("UPDATE holders SET process = 4194305");  // Past the largest id that Linux gives.
  const auto second = journal();
  Recording::resume(*second, past, this_process());
}

TEST_F(LeaseTest, OfAProcessFromBeforeTheMachineStartedIsTakenAtOnce) {
  const auto first = journal();
  const RecordedRun past = begin(*first);
  run_sql("UPDATE holders SET boot = '00000000-0000-0000-0000-000000000000 pid:[1]'");
  const auto second = journal();
  Recording::resume(*second, past, this_process());
}

TEST_F(LeaseTest, OfAnotherMachineHoldsUntilItEnds) {
  const auto first = journal();
  const RecordedRun past = begin(*first);
  run_sql("UPDATE holders SET host = 'another-host', process = 4194305");
  const auto second = journal();
  EXPECT_THROW(second->claim(kRun, past.next_sequence), Error);
  now_ += std::chrono::seconds(31);
  second->claim(kRun, past.next_sequence);
}

TEST_F(LeaseTest, IsNotGivenToWhoReadTheRunTooEarly) {
  auto first = journal();
  const RecordedRun early = begin(*first);
  Recording::resume(*first, early, this_process());
  first.reset();
  const auto second = journal();
  const Error error = error_of([&] { Recording::resume(*second, early, this_process()); });
  EXPECT_EQ(error.message(),
            "another process has gone on with run 01jd0000000run01 in the meantime");
  EXPECT_EQ(error_of([&] { second->claim("nobody", 0); }).kind(), ErrorKind::NotFound);
}

TEST_F(LeaseTest, OfAnotherMachineThatEndedMakesItsRunInterrupted) {
  RunHeader header = header_of(kRun);
  header.process.host = "another-host";
  const auto first = journal();
  Recording::record(*first, header);
  first->flush();
  run_sql("UPDATE holders SET host = 'another-host', expires = 9000000000000000000");
  EXPECT_EQ(RunStore(path()).find_run(kRun).state, State::Running);
  run_sql("UPDATE holders SET expires = 1");
  EXPECT_EQ(RunStore(path()).find_run(kRun).state, State::Interrupted);
}

}  // namespace
}  // namespace hone::journal
