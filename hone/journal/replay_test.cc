// A whole run, recorded and run again.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "hone/core/json_form.h"
#include "hone/journal/recorded_memory.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

class ReplayTest : public StoreTest {
 protected:
  RecordedRun recorded() { return RunStore(path()).recorded(kRun); }
  std::string result_of(const core::Run& run) { return dump(core::to_json(run, {})); }
  core::Run replay(core::Model& model) {
    const auto recording = Recording::replay(recorded());
    return run_recorded(*recording, model);
  }

  static constexpr const char* kRun = "01jd0000000run01";
};

TEST_F(ReplayTest, MakesNoCallAndGivesTheSameBytes) {
  const core::Run first = record_run(path(), kRun);
  ASSERT_EQ(first.attempts.size(), 3u);
  ASSERT_EQ(first.stop->reason, core::StopReason::Passed);
  ASSERT_EQ(first.usage.total().calls, 8);
  FakeModel model(scripted_reply);
  const core::Run second = replay(model);
  EXPECT_EQ(model.calls, 0);
  EXPECT_EQ(result_of(second), result_of(first));
  EXPECT_EQ(second, first);
}

TEST_F(ReplayTest, NeedsNoModel) {
  const core::Run first = record_run(path(), kRun);
  AbsentModel absent("fake:rules");
  EXPECT_EQ(replay(absent), first);
}

TEST_F(ReplayTest, IsWhatTheStoreShows) {
  const core::Run first = record_run(path(), kRun);
  EXPECT_EQ(RunStore(path()).load(kRun), first);
}

async<void> ask(core::Model& model, core::Context context, const core::ModelRequest& request) {
  const core::ModelReply unused = co_await model.complete(context, request);
}

TEST_F(ReplayTest, ShowsWhichLineOfAPromptChanged) {
  record_run(path(), kRun);
  const auto recording = Recording::replay(recorded());
  FakeModel inner(scripted_reply);
  JournaledModel journaled(*recording, inner);
  core::Context context;
  ReplayClock clock(*recording);
  context.clock = &clock;
  context.path = "attempt/2/revise/ask/1";
  core::Run past = fold(recorded());
  past.attempts.resize(1);
  core::ModelRequest request = request_for(core::Role::Revise, 2, past);
  request.messages[0].text = "You write letters.";
  const Error error = error_of([&] { run_sync([&] { return ask(journaled, context, request); }); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error.message(),
            "the request at `attempt/2/revise/ask/1` is not the recorded one:\n"
            "request/messages/0/text:\n"
            "- You write memos.\n"
            "+ You write letters.");
  EXPECT_EQ(inner.calls, 0);
}

TEST_F(ReplayTest, WithAnotherModelFailsEvenWhereTheLoopForgives) {
  record_run(path(), kRun);
  AbsentModel other("fake:other");
  const auto recording = Recording::replay(recorded());
  const Error error = error_of([&] { run_recorded(*recording, other); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error.message(),
            "the request at `attempt/1/generate/ask/1` is not the recorded one:\nmodel:\n"
            "- fake:rules\n+ fake:other");
}

TEST_F(ReplayTest, GivesRecordedFailuresAgain) {
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(kRun));
    FakeModel model([](const core::ModelRequest& request) -> core::ModelReply {
      if (request.attempt == 2 && request.role == core::Role::Revise) {
        throw Error(ErrorKind::Overloaded, "the server is busy", "wait");
      }
      return scripted_reply(request);
    });
    const core::Run first = run_recorded(*recording, model);
    ASSERT_EQ(first.stop->reason, core::StopReason::Error);
    ASSERT_EQ(first.attempts.size(), 1u);
    FakeModel unasked(scripted_reply);
    EXPECT_EQ(result_of(replay(unasked)), result_of(first));
    EXPECT_EQ(unasked.calls, 0);
  }
}

core::ModelReply broken_off(const core::ModelRequest& request) {
  if (request.role != core::Role::Revise) return scripted_reply(request);
  const core::Usage usage{.calls = 1, .input = {40}, .output = {5}};
  throw core::PaidError(Error(ErrorKind::Unavailable, "the stream broke off"), usage);
}

TEST_F(ReplayTest, CountsWhatFailedCallsHaveCost) {
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header_of(kRun));
  FakeModel model(broken_off);
  const core::Run first = run_recorded(*recording, model);
  ASSERT_EQ(first.stop->reason, core::StopReason::Error);
  EXPECT_EQ(first.usage.total().calls, model.calls);
  AbsentModel absent("fake:rules");
  EXPECT_EQ(result_of(replay(absent)), result_of(first));
}

async<void> remember(core::Memory& memory, std::vector<std::string>& lessons) {
  const core::Task task;
  core::Run run;
  const core::Context context;
  for (int number = 1; number <= 2; ++number) {
    const auto recalled = co_await memory.recall(context, task);
    for (const core::Lesson& lesson : recalled) lessons.push_back("recalled " + lesson.id);
    run.attempts.emplace_back().reflection.emplace();
    const auto learned = co_await memory.learn(context, run);
    for (const core::Lesson& lesson : learned) lessons.push_back("learned " + lesson.id);
  }
  run.stop.emplace();
  const auto learned = co_await memory.learn(context, run);
  for (const core::Lesson& lesson : learned) lessons.push_back("learned at last " + lesson.id);
}

std::vector<std::string> remembered(const std::vector<core::Event>& events) {
  RecordedRun past;
  for (const core::Event& event : events) past.events.push_back({.text = journal_text(event)});
  RecordedMemory memory(past);
  std::vector<std::string> lessons;
  run_sync([&] { return remember(memory, lessons); });
  return lessons;
}

TEST_F(ReplayTest, RecallsAndLearnsWhatItDidThen) {
  const std::vector<core::Event> once{core::LessonsRecalled{{{"a", "Be exact."}}},
                                      core::Reflected{.attempt = 1}, core::Stopped{},
                                      core::LessonLearned{{"b", "Add a total."}}};
  EXPECT_EQ(remembered(once), (std::vector<std::string>{"recalled a", "learned at last b"}));
}

TEST_F(ReplayTest, RecallsAndLearnsAsOftenAsItDidThen) {
  const std::vector<core::Event> twice{core::LessonsRecalled{},
                                       core::Reflected{.attempt = 1},
                                       core::LessonLearned{{"a", "One."}},
                                       core::LessonsRecalled{{{"a", "One."}}},
                                       core::Reflected{.attempt = 2},
                                       core::LessonLearned{{"b", "Two."}},
                                       core::Stopped{}};
  EXPECT_EQ(remembered(twice), (std::vector<std::string>{"learned a", "recalled a", "learned b"}));
}

// The run up to its first `effects` effects, as a kill leaves it.
RecordedRun cut_after(RecordedRun run, std::size_t effects) {
  run.effects.resize(effects);
  const std::int64_t last = run.effects.back().sequence;
  run.next_sequence = last + 1;
  const Instant end = run.effects.back().at;
  std::erase_if(run.events, [&](const RecordedEvent& event) { return event.at > end; });
  return run;
}

TEST_F(ReplayTest, OfAKilledRunSaysWhereTheRecordEnds) {
  record_run(path(), kRun);
  const auto recording = Recording::replay(cut_after(recorded(), 3));
  AbsentModel absent("fake:rules");
  const Error error = error_of([&] { run_recorded(*recording, absent); });
  EXPECT_EQ(error.kind(), ErrorKind::NotFound);
  EXPECT_EQ(error.message(),
            "nothing is recorded at `attempt/2/revise/ask/1`; the nearest effect that is recorded "
            "is `attempt/1/reflect/ask/1`");
  EXPECT_EQ(error.hint(), "`hone resume 01jd0000000run01` goes on from here");
}

class ResumeTest : public ReplayTest {};

// Copies a run into a new store as a kill after each of its effects would have left it.
void write_killed_run(const std::string& path, const RecordedRun& run) {
  Journal journal({.path = path});
  Record header;
  header.run = run.header.run;
  header.kind = Kind::Header;
  header.answer = to_text(run.header);
  header.at = run.header.started;
  journal.append(header);
  std::vector<Record> records = run.effects;
  for (const RecordedEvent& event : run.events) {
    Record record;
    record.answer = event.text;
    record.path = parse_json(event.text).at("event").get<std::string>();
    record.at = event.at;
    records.push_back(record);
  }
  std::ranges::sort(records, {}, &Record::at);
  std::int64_t sequence = 1;  // The instants of the stepping clock all differ.
  for (Record& record : records) {
    record.run = run.header.run;
    record.sequence = sequence++;
    journal.append(record);
  }
  journal.flush();
}

TEST_F(ResumeTest, RepeatsNoCallThatWasAnsweredWhereverTheRunWasKilled) {
  const core::Run whole = record_run(path(), kRun);
  const RecordedRun run = recorded();
  for (std::size_t answered = 1; answered <= run.effects.size(); ++answered) {
    const std::string copy = directory_ / (std::to_string(answered) + ".db");
    write_killed_run(copy, cut_after(run, answered));
    FakeModel model(scripted_reply);
    {
      Journal journal({.path = copy});
      const auto recording =
          Recording::resume(journal, RunStore(copy).recorded(kRun), this_process());
      run_recorded(*recording, model);
    }
    EXPECT_EQ(model.calls, static_cast<int>(run.effects.size() - answered));
    const core::Run resumed = RunStore(copy).load(kRun);
    EXPECT_EQ(resumed.stop, whole.stop);
    EXPECT_EQ(resumed.usage, whole.usage);
    ASSERT_EQ(resumed.attempts.size(), whole.attempts.size());
    EXPECT_EQ(resumed.attempts.back().output, whole.attempts.back().output);
    EXPECT_EQ(RunStore(copy).list().front().state, State::Finished);
  }
}

TEST_F(ResumeTest, MakesWhatFailedAgainAndTakesTheEndBack) {
  bool broken = true;
  FakeModel model([&](const core::ModelRequest& request) -> core::ModelReply {
    if (broken && request.role == core::Role::Revise) {
      throw Error(ErrorKind::Unavailable, "the network is gone");
    }
    return scripted_reply(request);
  });
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(kRun));
    ASSERT_EQ(run_recorded(*recording, model).stop->reason, core::StopReason::Error);
  }
  broken = false;
  const int before = model.calls;
  core::Run resumed;
  {
    Journal journal({.path = path()});
    const auto recording = Recording::resume(journal, recorded(), this_process());
    resumed = run_recorded(*recording, model);
  }
  EXPECT_EQ(resumed.stop->reason, core::StopReason::Passed);
  EXPECT_EQ(model.calls - before, 5);
  EXPECT_EQ(RunStore(path()).load(kRun), resumed);
  EXPECT_EQ(RunStore(path()).list().front().stop, core::StopReason::Passed);
  AbsentModel absent("fake:rules");
  EXPECT_EQ(replay(absent), resumed);
}

TEST_F(ResumeTest, CountsWhatTheFailedCallHadCostToo) {
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(kRun));
    FakeModel broken(broken_off);
    ASSERT_EQ(run_recorded(*recording, broken).stop->reason, core::StopReason::Error);
  }
  FakeModel model(scripted_reply);
  Journal journal({.path = path()});
  const auto recording = Recording::resume(journal, recorded(), this_process());
  const core::Run resumed = run_recorded(*recording, model);
  const core::Usage revising = resumed.usage[core::Role::Revise];
  EXPECT_EQ(revising.calls, 3);
  EXPECT_EQ(revising.output.count, 12 + 12 + 5);
  AbsentModel absent("fake:rules");
  EXPECT_EQ(replay(absent), resumed);
}

}  // namespace
}  // namespace hone::journal
