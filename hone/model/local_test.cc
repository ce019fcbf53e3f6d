#include "hone/model/local.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "hone/async/group.h"
#include "hone/base/text.h"
#include "hone/model/local_testing.h"

namespace hone::model {
namespace {

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
  core::ModelRequest asked = request("Is the sky blue?", 1);
  asked.choices = {"yes", "no"};
  const std::vector<double> expected = ask(asked).probabilities;
  const core::ModelRequest longer = request("Tell me about the mountains and the sky.", 500);
  EventLoop loop;
  failure_of([&] { loop.run([&] { return cancel_and_ask(loop, *model, context(), longer); }); });
  EXPECT_EQ(ask(asked).probabilities, expected);
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
  std::vector<core::ModelReply> alone;
  for (const char* text : {"Count to ten.", "Count to ten slowly.", "Count to ten very slowly."}) {
    asked.push_back(request(text, 2 + static_cast<int>(asked.size())));
    alone.push_back(ask(asked.back()));
  }
  std::vector<core::ModelReply> replies(asked.size());
  const std::function<async<void>(std::size_t)> each = [&](std::size_t i) {
    return start(*model, asked[i], replies[i]);
  };
  run_sync([&] { return for_each_index(asked.size(), asked.size(), each); });
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(replies[i].usage.input, alone[i].usage.input);
    EXPECT_EQ(replies[i].usage.output, *asked[i].sampling.max_tokens);
  }
}

class LocalFile : public Local {
 protected:
  ~LocalFile() override { fs::remove(file); }
  // The small model with one key of its header renamed.
  void copy_with(const std::string& key, const std::string& renamed) {
    ASSERT_EQ(key.size(), renamed.size());
    fs::copy_file(small().weights->path, file);
    std::fstream edit(file, std::ios::in | std::ios::out | std::ios::binary);
    std::string head(8'000'000, '\0');
    edit.read(head.data(), static_cast<std::streamsize>(head.size()));
    const std::size_t place = head.find(key);
    ASSERT_NE(place, std::string::npos);
    edit.seekp(static_cast<std::streamoff>(place));
    edit << renamed;
  }
  ErrorKind loading() {
    LocalOptions own = options();
    own.memory = memory;
    LocalModel other({.name = "own", .path = file}, own);
    const Error error = failure_of([&] { ask(other, request("dog")); });
    message = error.message();
    return error.kind();
  }
  fs::path file = fs::temp_directory_path() / ("hone-local-" + std::to_string(getpid()) + ".gguf");
  std::optional<std::int64_t> memory;
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
  copy_with("tokenizer.chat_template", "tokenizer.chat_removed_");
  EXPECT_EQ(loading(), ErrorKind::Unsupported);
  EXPECT_NE(message.find("no chat model"), std::string::npos);
}

TEST_F(LocalFile, OfAnEmbeddingModelIsNoWriter) {
  // Two entries more, 64 bytes together, so that what follows stays aligned.
  const auto number = [](std::uint64_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  const std::string pooling =
      number(18, 8) + "llama.pooling_type" + number(4, 4) + number(1, 4);  // A 32-bit 1.
  const std::string padding = number(17, 8) + "test.padding.long" + number(0, 4) + number(0, 1);
  std::ifstream small_file(small().weights->path, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(small_file), {}};
  std::uint64_t entries = 0;
  std::memcpy(&entries, whole.data() + 16, 8);
  whole.replace(16, 8, number(entries + 2, 8) + pooling + padding);
  std::ofstream(file, std::ios::binary) << whole;
  EXPECT_EQ(loading(), ErrorKind::Unsupported);
  EXPECT_NE(message.find("embedding"), std::string::npos);
}

TEST_F(LocalFile, BiggerThanTheMemoryIsNotLoaded) {
  fs::copy_file(small().weights->path, file);
  memory = 50'000'000;
  EXPECT_EQ(loading(), ErrorKind::Unavailable);
  EXPECT_NE(message.find("98 MB"), std::string::npos) << message;
  EXPECT_NE(message.find("50 MB"), std::string::npos) << message;
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
