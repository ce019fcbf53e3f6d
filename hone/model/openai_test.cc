#include "hone/model/openai.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "hone/async/clock.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/model/retried.h"
#include "hone/net/fake_server.h"

namespace hone::model {
namespace {

using namespace std::chrono_literals;
using net::FakeReply;
using net::FakeServer;

class Listener final : public core::EventSink {
 public:
  Instant emit(const std::string&, const core::Event& event, Instant at) override {
    if (const auto* draft = std::get_if<core::Draft>(&event)) text_ += draft->text;
    if (std::holds_alternative<core::Retracted>(event)) text_ += "|retracted|";
    return at;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class OpenAiTest : public testing::Test {
 protected:
  OpenAiTest() { request_.messages = {{core::Speaker::User, "Say hello."}}; }

  std::unique_ptr<core::Model> model(const std::string& base_url) {
    return std::make_unique<OpenAi>(HttpModelOptions{
        .name = "http#m", .model = "m", .base_url = base_url, .key = net::Secret("sk-secret")});
  }

  core::ModelReply ask(core::Model& asked) {
    core::ModelReply reply;
    run_sync([&] { return ask_into(asked, &reply); });
    return reply;
  }

  core::ModelReply ask(const FakeServer& server) { return ask(*model(server.url("/v1/"))); }

  async<void> ask_into(core::Model& asked, core::ModelReply* reply) {
    core::Context context;
    context.events = &listener_;
    context.clock = &clock_;
    context.random = &random_;
    context.deadline = deadline_;
    *reply = co_await asked.complete(context, request_);
  }

  Error failure(core::Model& asked) {
    try {
      ask(asked);
    } catch (...) {
      return to_error(std::current_exception());
    }
    return {ErrorKind::Internal, "it succeeded"};
  }

  SystemClock clock_;
  core::SeededRandom random_{1};
  Listener listener_;
  Deadline deadline_;
  core::ModelRequest request_;
};

FakeReply completion(std::string text) {
  const Json message = {{"role", "assistant"}, {"content", text}};
  const Json choice = {{"message", message}, {"finish_reason", "stop"}};
  const Json body = {{"model", "m-1"},
                     {"choices", Json::array({choice})},
                     {"usage", {{"prompt_tokens", 9}, {"completion_tokens", 2}}}};
  return {.headers = {{"Content-Type", "application/json"}}, .chunks = {dump(body)}};
}

FakeReply events(std::vector<std::string> chunks) {
  return {.headers = {{"Content-Type", "text/event-stream"}},
          .chunks = std::move(chunks),
          .chunked = true};
}

std::string delta(std::string_view text) {
  const Json choice = {{"delta", {{"content", text}}}, {"finish_reason", nullptr}};
  return "data: " + dump({{"model", "m-1"}, {"choices", Json::array({choice})}}) + "\n\n";
}

const std::string kFinish = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string kUsage =
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\n";
const std::string kDone = "data: [DONE]\n\n";

TEST_F(OpenAiTest, AsksForACompletion) {
  FakeServer server({completion("Hello.")});
  const auto reply = ask(server);
  EXPECT_EQ(reply.text, "Hello.");
  EXPECT_EQ(reply.model, "m-1");
  EXPECT_EQ(reply.usage.total().count, 11);
  const auto seen = server.requests().at(0);
  EXPECT_EQ(seen.method + " " + seen.target, "POST /v1/chat/completions");
  EXPECT_EQ(seen.header("authorization"), "Bearer sk-secret");
  EXPECT_EQ(parse_json(seen.body)["messages"][0]["content"], "Say hello.");
  EXPECT_EQ(listener_.text(), "");
}

TEST_F(OpenAiTest, StreamsDrafts) {
  FakeServer server({events({delta("Hel"), delta("lo."), kFinish, kUsage, kDone})});
  request_.drafts = true;
  const auto reply = ask(server);
  EXPECT_EQ(reply.text, "Hello.");
  EXPECT_EQ(listener_.text(), "Hello.");
  EXPECT_FALSE(reply.usage.estimated);
  EXPECT_EQ(reply.usage.total().count, 11);
}

TEST_F(OpenAiTest, ReadsAStreamCutIntoPiecesOnTheWay) {
  const std::string whole = delta("Hé") + delta("llo.") + kFinish + kUsage + kDone;
  request_.drafts = true;
  for (const std::size_t size : {1UL, 2UL, 3UL, 7UL, 50UL}) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < whole.size(); at += size)
      pieces.push_back(whole.substr(at, size));
    FakeServer server({events(pieces)});
    EXPECT_EQ(ask(server).text, "Héllo.") << size;
  }
}

TEST_F(OpenAiTest, TakesAnAnswerThatDoesNotStreamAlthoughItWasAskedTo) {
  FakeServer server({completion("Hello.")});
  request_.drafts = true;
  EXPECT_EQ(ask(server).text, "Hello.");
}

TEST_F(OpenAiTest, TakesAStreamThatIsNotCalledOne) {
  FakeServer server(
      {{.headers = {{"Content-Type", "text/plain"}}, .chunks = {delta("Hi"), kDone}}});
  request_.drafts = true;
  EXPECT_EQ(ask(server).text, "Hi");
}

TEST_F(OpenAiTest, AHalfStreamIsUnavailableAndCarriesItsCost) {
  FakeReply closed = events({delta("Hel")});
  FakeReply cut = events({delta("Hel"), delta("lo")});
  cut.cut_after = delta("Hel").size() + 5;
  for (const FakeReply& half : {closed, cut}) {
    FakeServer server({half});
    request_.drafts = true;
    try {
      ask(server);
      ADD_FAILURE() << "half a stream was taken";
    } catch (const core::PaidError& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
      EXPECT_TRUE(error.usage().estimated);
      EXPECT_GT(error.usage().output.count, 0);
    }
  }
}

TEST_F(OpenAiTest, AnAnswerThatIsWholeSurvivesABreakAfterIt) {
  FakeReply cut = events({delta("Hello."), kFinish, kUsage});
  cut.cut_after = delta("Hello.").size() + kFinish.size();
  FakeServer server({cut});
  request_.drafts = true;
  const auto reply = ask(server);
  EXPECT_EQ(reply.text, "Hello.");
  EXPECT_TRUE(reply.usage.estimated);
}

TEST_F(OpenAiTest, AHalfStreamIsRetractedAndAskedAgain) {
  FakeReply cut = events({delta("Hel"), delta("lo")});
  cut.cut_after = delta("Hel").size();
  FakeServer server({cut, events({delta("Hello."), kFinish, kUsage, kDone})});
  request_.drafts = true;
  Retried retried(model(server.url("/v1")));
  const auto reply = ask(retried);
  EXPECT_EQ(reply.text, "Hello.");
  EXPECT_EQ(listener_.text(), "Hel|retracted|Hello.");
  EXPECT_EQ(reply.usage.calls, 2);
}

TEST_F(OpenAiTest, ARetryWaitsAsLongAsTheServerAsks) {
  FakeServer server(
      {{.status = 429, .headers = {{"Retry-After", "0.05"}}}, {.status = 500}, completion("Hi")});
  Retried retried(model(server.url("/v1")));
  EXPECT_EQ(ask(retried).text, "Hi");
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(OpenAiTest, NobodyListeningEndsSoonAndNamesTheAddress) {
  const std::string url = "http://127.0.0.1:" + std::to_string(net::refused_port());
  Retried retried(model(url + "/v1"));
  const Instant began = clock_.now();
  const Error error = failure(retried);
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.hint().find(url), std::string::npos) << error.hint();
  EXPECT_LT(clock_.now() - began, 5s);
}

TEST_F(OpenAiTest, AWrongKeyIsNamedButNeverShown) {
  FakeServer server({{.status = 401, .chunks = {R"({"error":{"message":"bad key"}})"}}});
  const Error error = failure(*model(server.url("/v1")));
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_NE(error.hint().find("OPENAI_API_KEY"), std::string::npos);
  EXPECT_EQ((error.message() + error.hint()).find("sk-secret"), std::string::npos);
}

TEST_F(OpenAiTest, AsksForAnyJsonObjectOnAServerThatKnowsNoSchemas) {
  const char* const refusal = R"({"error":{"message":"json_schema is not supported"}})";
  FakeServer server({{.status = 400, .chunks = {refusal}}, completion("{}"), completion("{}")});
  request_.schema = JsonText{R"({"type":"object"})"};
  request_.messages[0].text = "Say it in JSON.";
  const auto asked = model(server.url("/v1"));
  ask(*asked);
  ask(*asked);
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(parse_json(requests[0].body)["response_format"]["type"], "json_schema");
  EXPECT_EQ(parse_json(requests[1].body)["response_format"]["type"], "json_object");
  EXPECT_EQ(parse_json(requests[2].body)["response_format"]["type"], "json_object");
}

TEST_F(OpenAiTest, ASchemaThatIsRefusedLeavesOtherSchemasAlone) {
  const char* const refusal =
      R"({"error":{"message":"Invalid schema for response_format 'output'","param":"response_format"}})";
  FakeServer server(
      {{.status = 400, .chunks = {refusal}}, completion("{}"), completion("{}"), completion("{}")});
  const JsonText bad{
      R"({"type":"object","properties":{"a":{"type":"string","format":"odd"}},"required":["a"]})"};
  const JsonText good{R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"};
  const auto asked = model(server.url("/v1"));
  for (const JsonText& schema : {bad, bad, good}) {
    request_.schema = schema;
    ask(*asked);
  }
  std::vector<bool> strict;
  for (const auto& seen : server.requests()) {
    strict.push_back(parse_json(seen.body)["response_format"]["json_schema"].contains("strict"));
  }
  EXPECT_EQ(strict, (std::vector<bool>{true, false, false, true}));
}

struct Refusal {
  const char* message;
  const char* key;  // What is sent at first and then not.
};

TEST_F(OpenAiTest, LeavesOutWhatAModelDoesNotTakeAndAsksOnceMoreOnly) {
  const Refusal refusals[] = {
      {"Unsupported parameter: 'max_tokens' is not supported with this model. Use "
       "'max_completion_tokens' instead.",
       "max_tokens"},
      {"Unsupported value: 'temperature' does not support 0.5 with this model. Only the default "
       "(1) value is supported.",
       "temperature"},
      {"Unrecognized request argument supplied: seed", "seed"},
      {"logprobs are not supported with reasoning models", "logprobs"},
      {"Unknown parameter: 'stream_options'.", "stream_options"},
  };
  request_.sampling = {.temperature = 0.5, .seed = 1};
  request_.choices = {"yes"};
  request_.drafts = true;
  for (const auto& [message, key] : refusals) {
    const std::string refusal = dump({{"error", {{"message", message}}}});
    FakeServer server({{.status = 400, .chunks = {refusal}}, completion("yes"), completion("yes")});
    const auto asked = model(server.url("/v1"));
    ask(*asked);
    ask(*asked);
    const auto requests = server.requests();
    ASSERT_EQ(requests.size(), 3U) << message;
    EXPECT_TRUE(parse_json(requests[0].body).contains(key)) << key;
    EXPECT_FALSE(parse_json(requests[1].body).contains(key)) << key;
    EXPECT_FALSE(parse_json(requests[2].body).contains(key)) << key;
  }
}

TEST_F(OpenAiTest, ABadValueIsTheUsersToChange) {
  const char* const refusal =
      R"({"error":{"message":"Invalid 'temperature': decimal above maximum value","code":"decimal_above_max_value"}})";
  FakeServer server({{.status = 400, .chunks = {refusal}}, completion("x")});
  request_.sampling.temperature = 3;
  EXPECT_EQ(failure(*model(server.url("/v1"))).kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(OpenAiTest, GoesOnWithoutSchemaOnAServerThatRefusesIt) {
  FakeServer server(
      {{.status = 400, .chunks = {R"({"error":{"message":"response_format is not supported"}})"}},
       completion("{}"),
       completion("{}")});
  request_.schema = JsonText{R"({"type":"object"})"};
  const auto asked = model(server.url("/v1"));
  ask(*asked);
  ask(*asked);
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_TRUE(parse_json(requests[0].body).contains("response_format"));
  EXPECT_FALSE(parse_json(requests[1].body).contains("response_format"));
  EXPECT_FALSE(parse_json(requests[2].body).contains("response_format"));
}

TEST_F(OpenAiTest, EndsAtTheDeadline) {
  FakeReply silence;
  silence.never_answers = true;
  FakeServer server({silence});
  deadline_ = clock_.now() + 60ms;
  EXPECT_EQ(failure(*model(server.url("/v1"))).kind(), ErrorKind::DeadlineExceeded);
  EXPECT_EQ(failure(*model(server.url("/v1"))).kind(), ErrorKind::DeadlineExceeded);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(OpenAiTest, CancellingAbortsTheRequest) {
  FakeReply half = events({delta("Hel")});
  half.stays_silent = true;
  FakeServer server({half});
  request_.drafts = true;
  const auto asked = model(server.url("/v1"));
  EventLoop loop;
  core::ModelReply reply;
  std::thread other([&] {
    EXPECT_TRUE(server.wait_for_requests(1));
    loop.cancel();
  });
  try {
    loop.run([&] { return ask_into(*asked, &reply); });
    ADD_FAILURE() << "it ended by itself";
  } catch (...) {
    EXPECT_EQ(to_error(std::current_exception()).kind(), ErrorKind::Cancelled);
  }
  other.join();
  EXPECT_TRUE(server.wait_for_aborted(1));
}

}  // namespace
}  // namespace hone::model
