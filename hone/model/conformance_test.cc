// What every core::Model does. What those behind HTTP do beyond it: http_conformance_test.cc.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include "hone/async/group.h"
#include "hone/model/command.h"
#include "hone/model/http_testing.h"
#include "hone/model/scripted.h"
#include "hone/model/testing.h"
#include "hone/process/process.h"

namespace hone::model {
namespace {

// Real processes.
class ProcessRunner final : public core::Runner {
 public:
  async<core::ProcessResult> run(core::Context, const core::ProcessRequest& request) override {
    process::ProcessOptions options;
    options.command = request.command;
    options.input = request.input;
    options.environment = request.environment;
    options.files = request.files;
    options.timeout = request.timeout;
    options.output_limit = request.output_limit;
    process::Ended ended = co_await process::run_process(std::move(options));
    core::ProcessResult result;
    result.exit_code = ended.exit_code;
    result.signal = ended.signal;
    result.timed_out = ended.timed_out;
    result.output = std::move(ended.output);
    result.errors = std::move(ended.errors);
    result.truncated = ended.truncated;
    co_return result;
  }
};

ProcessRunner& runner() {
  static ProcessRunner one;
  return one;
}

std::unique_ptr<core::Model> command(std::string text) {
  return std::make_unique<CommandModel>(std::move(text), runner());
}

std::unique_ptr<core::Model> scripted(std::string_view script) {
  return std::make_unique<ScriptedModel>(parse_script(script, "s.yaml"), "s.yaml");
}

// A model with the server that it asks.
class ServedModel final : public core::Model {
 public:
  ServedModel(std::size_t kind, std::function<net::FakeReply(const WireKind&)> reply)
      : server_([kind, reply](const net::FakeRequest&) { return reply(wire_kinds()[kind]); }),
        model_(wire_kinds()[kind].model(server_.url("/v1"))) {}

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override {
    return model_->complete(std::move(context), request);
  }
  std::string name() const override { return model_->name(); }

 private:
  net::FakeServer server_;
  std::unique_ptr<core::Model> model_;
};

template <std::size_t kind>
std::unique_ptr<core::Model> served_hello() {
  return std::make_unique<ServedModel>(kind, [](const WireKind& wire) {
    return stream_reply({wire.stream({.pieces = {"héllo\n", "  you"}})});
  });
}

template <std::size_t kind>
std::unique_ptr<core::Model> served_failure() {
  return std::make_unique<ServedModel>(
      kind, [](const WireKind&) { return net::FakeReply{.status = 503}; });
}

template <std::size_t kind>
std::unique_ptr<core::Model> served_silence() {
  return std::make_unique<ServedModel>(
      kind, [](const WireKind&) { return net::FakeReply{.never_answers = true}; });
}

// One kind of model, made so that it behaves in a certain way.
struct Kind {
  std::string name;
  std::unique_ptr<core::Model> (*says_hello)();
  std::unique_ptr<core::Model> (*fails)();
  std::unique_ptr<core::Model> (*never_answers)();
  bool tells_usage = false;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

const Kind kKinds[] = {
    {"scripted", [] { return scripted(R"(- {reply: "héllo\n  you", repeat: true})"); },
     [] { return scripted("- {error: disconnect, repeat: true}"); },
     [] { return scripted("- {reply: x, delay: 1h, repeat: true}"); }},
    {"command", [] { return command("cat > /dev/null; printf 'héllo\\n  you\\n'"); },
     [] { return command("echo broken >&2; exit 3"); }, [] { return command("sleep 3600"); }},
    {"openai", served_hello<0>, served_failure<0>, served_silence<0>, true},
    {"anthropic", served_hello<1>, served_failure<1>, served_silence<1>, true},
};

class ModelConformance : public testing::TestWithParam<Kind> {};

TEST_P(ModelConformance, RepliesWithTextFinishNameAndUsage) {
  Call call;
  const auto model = GetParam().says_hello();
  const core::ModelReply reply = call.reply(*model, Asked{core::Role::Generate, 1, "Say hello."});
  EXPECT_EQ(reply.text, "héllo\n  you");
  EXPECT_EQ(reply.finish, core::Finish::Complete);
  EXPECT_FALSE(reply.model.empty());
  EXPECT_EQ(reply.usage.calls, 1);
  EXPECT_GT(reply.usage.input.count, 0);
  EXPECT_GT(reply.usage.output.count, 0);
  EXPECT_EQ(reply.usage.estimated, !GetParam().tells_usage);
  EXPECT_EQ(reply.usage.usd, std::nullopt);
  EXPECT_TRUE(model->name().starts_with(GetParam().name + ":"));
}

TEST_P(ModelConformance, DraftsOnlyWhenAskedAndThenTheWholeReply) {
  Call call;
  const auto model = GetParam().says_hello();
  core::ModelRequest request = Asked{core::Role::Revise, 2, "Say hello."};
  const std::string text = call.reply(*model, request).text;
  EXPECT_EQ(call.drafts(), 0u);
  request.drafts = true;
  call.reply(*model, request);
  EXPECT_EQ(call.drafted(2), text);
}

TEST_P(ModelConformance, FailureThatMayPassIsUnavailable) {
  Call call;
  const auto model = GetParam().fails();
  EXPECT_EQ(call.failure(*model, Asked{}).kind(), ErrorKind::Unavailable);
}

TEST_P(ModelConformance, OneModelServesManyCallsAtOnce) {
  Call call;
  const auto model = GetParam().says_hello();
  std::vector<core::ModelReply> replies(8);
  struct Asking {
    static async<void> one(core::Model& asked, core::Context context, core::ModelReply* reply) {
      const core::ModelRequest request = Asked{};
      *reply = co_await asked.complete(context, request);
    }
  };
  run_sync([&] {
    return for_each_index(replies.size(), replies.size(), [&](std::size_t i) {
      core::Context context = call.context();
      context.run = "run" + std::to_string(i);
      return Asking::one(*model, context, &replies[i]);
    });
  });
  for (const core::ModelReply& reply : replies) EXPECT_EQ(reply.text, "héllo\n  you");
}

async<void> complete_and_discard(core::Model& model, core::Context context, bool* ended) {
  const core::ModelRequest request = Asked{};
  const core::ModelReply reply = co_await model.complete(context, request);
  *ended = reply.text.empty();
}

async<void> cancel(EventLoop& loop) {
  loop.cancel();
  co_return;
}

TEST_P(ModelConformance, CancellationEndsTheCallSoon) {
  Call call;
  SystemClock clock;
  const auto model = GetParam().never_answers();
  core::Context context = call.context();
  context.clock = &clock;
  EventLoop loop;
  bool ended = false;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_ANY_THROW(loop.run([&] {
    return for_each_index(2, 2, [&](std::size_t i) {
      return i == 0 ? complete_and_discard(*model, context, &ended) : cancel(loop);
    });
  }));
  EXPECT_FALSE(ended);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ModelConformance, testing::ValuesIn(kKinds),
                         [](const auto& info) { return info.param.name; });

// --- What only a command does ---

std::string answer_of(std::string text, const core::ModelRequest& request) {
  Call call;
  return call.reply(*command(std::move(text)), request).text;
}

TEST(CommandModel, GetsAllMessagesOnStdinAsPlainText) {
  core::ModelRequest request;
  request.messages = {{core::Speaker::System, "Be brief."}, {core::Speaker::User, "Say it.\nNow."}};
  EXPECT_EQ(answer_of("cat", request), "Be brief.\n\nSay it.\nNow.");
}

TEST(CommandModel, KnowsTheAttemptAndFromTheSecondOnTheFeedback) {
  const std::string show = "echo $HONE_ATTEMPT; cat \"${HONE_FEEDBACK_FILE:-/dev/null}\"";
  EXPECT_EQ(answer_of(show, Asked{core::Role::Generate, 1, "first"}), "1");
  EXPECT_EQ(answer_of(show, Asked{core::Role::Revise, 2, "what was wrong"}), "2\nwhat was wrong");
}

TEST(CommandModel, FailuresNameTheCommandAndTheLastLineOfStderr) {
  struct Case {
    std::string command;
    ErrorKind kind;
    std::string message;
  };
  const Case cases[] = {
      {"echo first >&2; echo no key >&2; exit 3", ErrorKind::Unavailable,
       "the model command `echo first >&2; echo no key >&2; exit 3` ended with code 3: no key"},
      {"exit 1", ErrorKind::Unavailable, "the model command `exit 1` ended with code 1"},
      {"kill -9 $$", ErrorKind::Unavailable,
       "the model command `kill -9 $$` was ended by signal 9"},
  };
  for (const Case& c : cases) {
    Call call;
    const Error error = call.failure(*command(c.command), Asked{});
    EXPECT_EQ(error.kind(), c.kind);
    EXPECT_EQ(error.message(), c.message);
  }
}

TEST(CommandModel, TakesTooLong) {
  Call call;
  CommandModel model("sleep 3600", runner(), std::chrono::milliseconds(50));
  const Error error = call.failure(model, Asked{});
  EXPECT_EQ(error.kind(), ErrorKind::DeadlineExceeded);
  EXPECT_EQ(error.message(), "the model command `sleep 3600` did not end within 50 ms");
}

TEST(CommandModel, CancellationLeavesNoProcess) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("hone_cancel_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::filesystem::path pid_file = folder / "pid";
  ASSERT_EQ(mkfifo((folder / "started").c_str(), 0600), 0);
  const auto model = command("echo $$ > " + pid_file.string() + "; echo go > " +
                             (folder / "started").string() + "; sleep 3600");
  Call call;
  EventLoop loop;
  bool ended = false;
  // Opening the pipe waits until the command has written its id.
  std::jthread canceller([&] {
    std::string word;
    std::ifstream(folder / "started") >> word;
    loop.cancel();
  });
  EXPECT_ANY_THROW(loop.run([&] { return complete_and_discard(*model, call.context(), &ended); }));
  canceller.join();
  pid_t pid = 0;
  std::ifstream(pid_file) >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_EQ(kill(pid, 0), -1) << "process " << pid << " is still there";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hone::model
