#include "hone/journal/recording.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "hone/async/cancel.h"
#include "hone/async/one_shot.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

constexpr const char* kRun = "01jd0000000run01";
constexpr const char* kSecret = "sk-proj-abcdefghijklmnop1234567890";

class RecordingTest : public StoreTest {
 protected:
  RecordedRun recorded() { return RunStore(path()).recorded(kRun); }
  core::Context context(const std::string& at) {
    core::Context context;
    context.path = at;
    context.clock = &clock_;
    return context;
  }

  SteppingClock clock_;
};

core::ModelRequest request_of(const std::string& text) {
  core::ModelRequest request;
  request.messages = {{core::Speaker::User, text}};
  return request;
}

async<void> ask(core::ModelReply& answer, core::Model& model, core::Context context,
                core::ModelRequest request) {
  answer = co_await model.complete(context, request);
}

core::ModelReply ask(core::Model& model, const core::Context& context, const std::string& text) {
  core::ModelReply answer;
  run_sync([&] { return ask(answer, model, context, request_of(text)); });
  return answer;
}

core::ModelReply echo(const core::ModelRequest& request) { return reply(request.messages[0].text); }

TEST_F(RecordingTest, HasTheAnswerOnTheDiskBeforeAnybodyUsesIt) {
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header_of(kRun));
  FakeModel inner(echo);
  JournaledModel model(*recording, inner);
  const core::ModelReply answer = ask(model, context("attempt/1/generate"), "hello");
  const RecordedRun run = recorded();
  ASSERT_EQ(run.effects.size(), 1u);
  EXPECT_EQ(run.effects[0].path, "attempt/1/generate");
  EXPECT_EQ(core::model_reply_from_json(parse_json(run.effects[0].answer)), answer);
}

TEST_F(RecordingTest, RefusesTwoEffectsOfOnePath) {
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header_of(kRun));
  FakeModel inner(echo);
  JournaledModel model(*recording, inner);
  ask(model, context("attempt/1/generate"), "hello");
  const Error error = error_of([&] { ask(model, context("attempt/1/generate"), "again"); });
  EXPECT_EQ(error.kind(), ErrorKind::Internal);
  EXPECT_EQ(error.message(),
            "two effects of run 01jd0000000run01 have the path `attempt/1/generate`");
  EXPECT_EQ(inner.calls, 1);
}

// Gives its answer in the moment in which the run is cancelled.
class CancelledModel final : public core::Model {
 public:
  explicit CancelledModel(EventLoop& loop) : loop_(loop) {}
  async<core::ModelReply> complete(core::Context, const core::ModelRequest&) override {
    loop_.cancel();
    co_await pending_cancellation_waits(true);
    co_await yield();
    co_await pending_cancellation_waits(false);
    co_return reply("paid for");
  }
  std::string name() const override { return "cancelled"; }

 private:
  // Lets the loop deliver the cancellation.
  static async<void> yield() {
    const OneShot later;
    std::thread other([later] { later.set(); });
    co_await later.wait();
    other.join();
  }

  EventLoop& loop_;
};

async<void> ask_twice(core::Model& model, core::Context context, std::string* first) {
  core::ModelReply answer;
  co_await ask(answer, model, context, request_of("hello"));
  *first = answer.text;
  co_await ask(answer, model, context.at("again"), request_of("hello"));
}

TEST_F(RecordingTest, KeepsAnAnswerThatArrivesTogetherWithACancellation) {
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header_of(kRun));
  EventLoop loop;
  CancelledModel inner(loop);
  JournaledModel model(*recording, inner);
  std::string first;
  const Error error = error_of(
      [&] { loop.run([&] { return ask_twice(model, context("attempt/1/generate"), &first); }); });
  EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.message();
  EXPECT_EQ(first, "paid for");
  const RecordedRun run = recorded();
  ASSERT_EQ(run.effects.size(), 1u);
  EXPECT_FALSE(run.effects[0].failed);
  EXPECT_EQ(core::model_reply_from_json(parse_json(run.effects[0].answer)).text, "paid for");
}

// Whether any file of the store holds the text.
bool holds(const std::filesystem::path& directory, const std::string& text) {
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST_F(RecordingTest, KeepsSecretsOffTheDisk) {
  RunHeader header = header_of(kRun);
  header.options.text = std::string(R"({"key":")") + kSecret + R"("})";
  Journal journal({.path = path()});
  const auto recording = Recording::record(journal, header);
  FakeModel inner(echo);
  JournaledModel model(*recording, inner);
  const std::string text = std::string(200, 'x') + " " + kSecret;
  EXPECT_EQ(ask(model, context("attempt/1/generate"), text).text, text) << "the caller's is whole";
  core::Task task;
  task.prompt = text;
  recording->happened(core::RunStarted{task}, clock_.now());
  recording->failed({Kind::Model, "attempt/2", "", "{}"}, Error(ErrorKind::Refused, text),
                    clock_.now());
  journal.flush();
  EXPECT_FALSE(holds(directory_, kSecret));
  const RecordedRun run = recorded();
  EXPECT_TRUE(run.effects[0].redacted);
  EXPECT_NE(run.effects[0].answer.find("[OPENAI_KEY_1]"), std::string::npos);
  EXPECT_NE(run.header.options.text.find("[OPENAI_KEY_1]"), std::string::npos);
}

TEST_F(RecordingTest, MarksNothingWhereNothingWasTakenOut) {
  record_run(path(), kRun);
  for (const Record& effect : recorded().effects) EXPECT_FALSE(effect.redacted) << effect.path;
}

class FakeRunner final : public core::Runner {
 public:
  async<core::ProcessResult> run(core::Context, const core::ProcessRequest& request) override {
    ++calls;
    core::ProcessResult result;
    result.exit_code = 3;
    result.output = "got " + request.input;
    result.errors = "\xff\xfe not UTF-8";
    co_return result;
  }
  int calls = 0;
};

async<void> run_process(core::ProcessResult& result, core::Runner& runner, core::Context context,
                        core::ProcessRequest request) {
  result = co_await runner.run(context, request);
}

TEST_F(RecordingTest, ReplaysProcessesByteForByte) {
  const core::ProcessRequest request{"cat", "input", "/here", {{"A", "1"}}, {}};
  FakeRunner inner;
  core::ProcessResult first;
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(kRun));
    JournaledRunner runner(*recording, inner);
    run_sync([&] { return run_process(first, runner, context("attempt/1/evaluate"), request); });
  }
  const auto replay = Recording::replay(recorded());
  JournaledRunner runner(*replay, inner);
  core::ProcessResult second;
  core::ProcessRequest elsewhere = request;
  elsewhere.directory = "/there";
  run_sync([&] { return run_process(second, runner, context("attempt/1/evaluate"), elsewhere); });
  EXPECT_EQ(second, first);
  EXPECT_EQ(inner.calls, 1);
}

TEST_F(RecordingTest, ReplaysACancelledRunToTheSameEnd) {
  {
    Journal journal({.path = path()});
    const auto recording = Recording::record(journal, header_of(kRun));
    FakeModel model([](const core::ModelRequest& request) -> core::ModelReply {
      if (request.attempt == 2) throw Error(ErrorKind::Cancelled, "the work was cancelled");
      return scripted_reply(request);
    });
    ASSERT_EQ(run_recorded(*recording, model).stop->reason, core::StopReason::Cancelled);
  }
  EXPECT_EQ(RunStore(path()).list()[0].state, State::Interrupted);
  EXPECT_EQ(RunStore(path()).list()[0].stop, core::StopReason::Cancelled);
  const auto replay = Recording::replay(recorded());
  AbsentModel absent("fake:rules");
  EXPECT_EQ(run_recorded(*replay, absent), RunStore(path()).load(kRun));
}

TEST_F(RecordingTest, OfAFullDiskEndsTheRunAndKeepsWhatWasCommitted) {
  core::Run run;
  {
    Journal journal({.path = path(), .largest_size = 90'000});
    const auto recording = Recording::record(journal, header_of(kRun));
    FakeModel model([](const core::ModelRequest& request) -> core::ModelReply {
      core::ModelReply answer = scripted_reply(request);
      if (request.attempt == 2) answer.text += noise(400'000);
      return answer;
    });
    const Error error = error_of([&] { run = run_recorded(*recording, model); });
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_NE(error.message().find("the disk is full"), std::string::npos);
  }
  const core::Run kept = RunStore(path()).load(kRun);
  ASSERT_EQ(kept.attempts.size(), 1u);
  EXPECT_EQ(kept.attempts[0].evaluation.score, Score(0.4));
}

TEST_F(RecordingTest, TellsWhichEventOfAReplayDiffers) {
  record_run(path(), kRun);
  const auto replay = Recording::replay(recorded());
  core::Task other;
  other.name = "letter";
  other.prompt = "Write a memo.";
  replay->happened(core::RunStarted{other}, clock_.now());
  const Error error = error_of([&] { run_sync([&] { return replay->close(); }); });
  EXPECT_EQ(error.message(),
            "event 1 of the run is not the recorded one:\ntask/name:\n- memo\n+ letter");
}

}  // namespace
}  // namespace hone::journal
