#include "hone/model/openai_wire.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

using core::Finish;
using core::Speaker;

core::ModelRequest request_of(std::string text) {
  core::ModelRequest request;
  request.messages = {{Speaker::System, "Be brief."}, {Speaker::User, std::move(text)}};
  return request;
}

Json sent(const OpenAiDialect& dialect, const core::ModelRequest& request) {
  return parse_json(openai_request(dialect, request));
}

TEST(OpenAiRequest, CarriesModelMessagesAndSampling) {
  core::ModelRequest request = request_of("Hi \"you\"");
  request.sampling = {.temperature = 0.25, .top_p = 0.5, .max_tokens = Tokens{99}, .seed = 7};
  EXPECT_EQ(openai_request({.model = "m"}, request),
            R"({"model":"m","messages":[{"role":"system","content":"Be brief."},)"
            R"({"role":"user","content":"Hi \"you\""}],"max_tokens":99,"temperature":0.25,)"
            R"("top_p":0.5,"seed":7})");
}

TEST(OpenAiRequest, LeavesOutWhatIsNotSet) {
  const Json body = sent({.model = "m"}, request_of("x"));
  EXPECT_EQ(body["max_tokens"], 2048);
  for (const char* key : {"temperature", "top_p", "seed", "stream", "response_format"}) {
    EXPECT_FALSE(body.contains(key)) << key;
  }
}

TEST(OpenAiRequest, CallsTheLongestAnswerAsTheServerDoes) {
  const Json body = sent({.model = "m", .newer_limit = true}, request_of("x"));
  EXPECT_EQ(body["max_completion_tokens"], 2048);
  EXPECT_FALSE(body.contains("max_tokens"));
}

TEST(OpenAiRequest, KeepsSeedsExactInEveryReader) {
  core::ModelRequest request = request_of("x");
  request.sampling.seed = ~std::uint64_t{0};
  EXPECT_EQ(sent({.model = "m"}, request)["seed"], 9007199254740991ULL);
}

TEST(OpenAiRequest, AsksForJsonOfASchemaWhereTheServerTakesIt) {
  core::ModelRequest request = request_of("x");
  request.schema = JsonText{R"({"type":"object"})"};
  const Json format = sent({.model = "m"}, request)["response_format"];
  EXPECT_EQ(format["type"], "json_schema");
  EXPECT_EQ(format["json_schema"]["schema"]["type"], "object");
  EXPECT_FALSE(format["json_schema"].contains("strict")) << "it cannot be made strict";
  const OpenAiDialect text{.model = "m", .format = OpenAiFormat::Text};
  EXPECT_FALSE(sent(text, request).contains("response_format"));
}

TEST(OpenAiRequest, StreamsWithUsageWhenDraftsAreWanted) {
  core::ModelRequest request = request_of("x");
  request.drafts = true;
  const Json body = sent({.model = "m"}, request);
  EXPECT_EQ(body["stream"], true);
  EXPECT_EQ(body["stream_options"]["include_usage"], true);
}

TEST(OpenAiRequest, MakesASchemaStrictWhereThatAsksForTheSame) {
  core::ModelRequest request = request_of("x");
  request.schema =
      JsonText{R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"};
  const Json strict = sent({.model = "m"}, request)["response_format"]["json_schema"];
  EXPECT_EQ(strict["strict"], true);
  EXPECT_EQ(strict["schema"]["additionalProperties"], false);
  const OpenAiDialect lax{.model = "m", .format = OpenAiFormat::Schema};
  const Json hint = sent(lax, request)["response_format"]["json_schema"];
  EXPECT_FALSE(hint.contains("strict"));
  EXPECT_EQ(dump(hint["schema"]), request.schema->text);
}

TEST(OpenAiRequest, AsksForAnyObjectOnlyWhereThePromptSpeaksOfJson) {
  const OpenAiDialect dialect{.model = "m", .format = OpenAiFormat::JsonObject};
  core::ModelRequest request = request_of("Answer in JSON.");
  request.schema = JsonText{R"({"type":"object"})"};
  EXPECT_EQ(sent(dialect, request)["response_format"]["type"], "json_object");
  request.schema = JsonText{R"({"type":"array"})"};
  EXPECT_FALSE(sent(dialect, request).contains("response_format"));
  request = request_of("Answer.");
  request.schema = JsonText{R"({"type":"object"})"};
  EXPECT_FALSE(sent(dialect, request).contains("response_format"));
}

TEST(OpenAiRequest, CarriesToolsTheirCallsAndAnswers) {
  core::ModelRequest request = request_of("What time is it?");
  request.tools = {{"clock", "Tells the time.", {R"({"type":"object"})"}}};
  request.messages.push_back({Speaker::Assistant, "", {{"call_1", "clock", {"{}"}}}});
  request.messages.push_back({Speaker::Tool, "12:00", {}, "call_1"});
  const Json body = sent({.model = "m"}, request);
  EXPECT_EQ(dump(body["tools"]),
            R"([{"type":"function","function":{"name":"clock","description":"Tells the time.",)"
            R"("parameters":{"type":"object"}}}])");
  EXPECT_EQ(dump(body["messages"][2]),
            R"({"role":"assistant","content":null,"tool_calls":[{"id":"call_1",)"
            R"("type":"function","function":{"name":"clock","arguments":"{}"}}]})");
  EXPECT_EQ(dump(body["messages"][3]),
            R"({"role":"tool","content":"12:00","tool_call_id":"call_1"})");
}

TEST(OpenAiRequest, AsksForProbabilitiesAndStopsOnlyWhereTheyAreWanted) {
  core::ModelRequest request = request_of("x");
  EXPECT_FALSE(sent({.model = "m"}, request).contains("logprobs"));
  request.choices = {"yes", "no"};
  request.stop = {"1", "2", "3", "4", "5"};
  const Json body = sent({.model = "m"}, request);
  EXPECT_EQ(body["logprobs"], true);
  EXPECT_EQ(body["top_logprobs"], 20);
  EXPECT_EQ(dump(body["stop"]), R"(["1","2","3","4"])");
  const OpenAiDialect less_of_it{.model = "m", .takes_probabilities = false};
  EXPECT_FALSE(sent(less_of_it, request).contains("logprobs"));
}

net::HttpResponse response_of(int status, std::string body,
                              std::vector<net::HttpHeader> headers = {}) {
  headers.push_back({"Content-Type", "application/json"});
  return {.status = status, .headers = std::move(headers), .body = std::move(body)};
}

core::ModelReply read(std::string body) {
  return reply_of(OpenAiReader().read(response_of(200, std::move(body))), request_of("abcdefgh"));
}

TEST(OpenAiReply, GivesTextModelAndUsage) {
  const auto reply = read(
      R"({"model":"m-1","choices":[{"message":{"role":"assistant","content":"Hé"},"finish_reason":"stop"}],
          "usage":{"prompt_tokens":10,"completion_tokens":3,"total_tokens":13,
                   "prompt_tokens_details":{"cached_tokens":8}}})");
  EXPECT_EQ(reply.text, "Hé");
  EXPECT_EQ(reply.finish, Finish::Complete);
  EXPECT_EQ(reply.model, "m-1");
  const core::Usage expected{.calls = 1, .input = {10}, .output = {3}, .cached = {8}};
  EXPECT_EQ(reply.usage, expected);
}

struct FinishCase {
  const char* reason;
  Finish finish;
};

TEST(OpenAiReply, MapsEveryFinishReason) {
  const std::vector<FinishCase> cases = {
      {R"("stop")", Finish::Complete},
      {R"("length")", Finish::Length},
      {R"("tool_calls")", Finish::Interrupted},
      {R"("content_filter")", Finish::Interrupted},
      {"null", Finish::Complete},
      {R"("eos")", Finish::Complete},
  };
  for (const auto& [reason, finish] : cases) {
    const auto reply = read(
        std::string(R"({"choices":[{"message":{"content":"x"},"finish_reason":)") + reason + "}]}");
    EXPECT_EQ(reply.finish, finish) << reason;
  }
}

TEST(OpenAiReply, EstimatesMissingOrZeroUsageAndSaysSo) {
  for (const std::string usage :
       {"", R"(,"usage":null)", R"(,"usage":{"prompt_tokens":0,"completion_tokens":0})"}) {
    const auto reply =
        read(R"({"choices":[{"message":{"content":"four more words here"}}])" + usage + "}");
    EXPECT_TRUE(reply.usage.estimated) << usage;
    EXPECT_EQ(reply.usage.calls, 1);
    EXPECT_GT(reply.usage.input.count, 0);
    EXPECT_EQ(reply.usage.output, core::estimate_tokens("four more words here"));
  }
}

TEST(OpenAiReply, TellsReasoningAndWrittenCacheApart) {
  const auto reply = read(
      R"({"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":10,"completion_tokens":8,
          "prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3},
          "completion_tokens_details":{"reasoning_tokens":6}}})");
  EXPECT_EQ(reply.usage.reasoning.count, 6);
  EXPECT_EQ(reply.usage.output.count, 8);
  EXPECT_EQ(reply.usage.cache_written.count, 3);
}

TEST(OpenAiReply, GivesProbabilitiesOfTheChoices) {
  core::ModelRequest request = request_of("Is it good?");
  request.choices = {"yes", "no"};
  const std::string body =
      R"({"choices":[{"message":{"content":"Yes"},"logprobs":{"content":[{"token":"Yes",
          "logprob":-0.2231435513,"top_logprobs":[{"token":"Yes","logprob":-0.2231435513},
          {"token":" no","logprob":-2.302585093}]}]}}]})";
  const auto reply = reply_of(OpenAiReader().read(response_of(200, body)), request);
  ASSERT_EQ(reply.probabilities.size(), 2U);
  EXPECT_NEAR(reply.probabilities[0], 0.8, 1e-6);
  EXPECT_NEAR(reply.probabilities[1], 0.1, 1e-6);
}

TEST(OpenAiReply, TakesArgumentsThatAreNoText) {
  core::ModelRequest request = request_of("x");
  request.tools = {{"sum", "", {"{}"}}};
  const std::string body =
      R"({"choices":[{"message":{"content":"","tool_calls":[{"id":"1","function":{"name":"sum",
          "arguments":{"of":[1,2]}}}]},"finish_reason":"stop"}]})";
  const auto reply = reply_of(OpenAiReader().read(response_of(200, body)), request);
  EXPECT_EQ(reply.finish, Finish::Complete);
  ASSERT_EQ(reply.tool_calls.size(), 1U);
  EXPECT_EQ(reply.tool_calls[0].arguments.text, R"({"of":[1,2]})");
}

TEST(OpenAiReply, JoinsContentInParts) {
  EXPECT_EQ(
      read(
          R"({"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]})")
          .text,
      "ab");
}

TEST(OpenAiReply, InvalidUtf8LosesOnlyItsBytes) {
  EXPECT_EQ(read("{\"choices\":[{\"message\":{\"content\":\"a\xFF"
                 "b\"}}]}")
                .text,
            "a\xEF\xBF\xBD"
            "b");
}

template <class Call>
Error failure_of(Call call) {
  try {
    call();
  } catch (...) {
    return to_error(std::current_exception());
  }
  return {ErrorKind::Internal, "nothing was thrown"};
}

TEST(OpenAiReply, ARefusalIsRefusedAndStillCosts) {
  const std::string refusal =
      R"({"choices":[{"message":{"content":null,"refusal":"I can't."}}],"usage":{"prompt_tokens":5,"completion_tokens":2}})";
  try {
    read(refusal);
    FAIL() << "it was an answer";
  } catch (const core::PaidError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Refused);
    EXPECT_NE(error.message().find("I can't."), std::string::npos);
    EXPECT_EQ(error.usage().total().count, 7);
  }
  const std::string filtered =
      R"({"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]})";
  EXPECT_EQ(failure_of([&] { read(filtered); }).kind(), ErrorKind::Refused);
}

struct BadBody {
  const char* body;
  const char* type;
  ErrorKind kind;
};

TEST(OpenAiReply, WhatIsNoCompletionIsNamedByItsBeginning) {
  const std::vector<BadBody> cases = {
      {"<html>login</html>", "text/html", ErrorKind::Corrupt},
      {"", "text/plain", ErrorKind::Corrupt},
      {R"({"choices":[{"mess)", "application/json", ErrorKind::Unavailable},
      {R"({"object":"list"})", "application/json", ErrorKind::Corrupt},
      {R"({"choices":[]})", "application/json", ErrorKind::Corrupt},
      {"[1]", "application/json", ErrorKind::Corrupt},
      {"7", "application/json", ErrorKind::Corrupt},
      {R"({"error":{"message":"boom"}})", "application/json", ErrorKind::Unavailable},
      {R"({"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}})",
       "application/json", ErrorKind::Overloaded},
      {R"({"error":"maximum context length is 5"})", "application/json", ErrorKind::InvalidInput},
  };
  for (const auto& [body, type, kind] : cases) {
    const net::HttpResponse response{
        .status = 200, .headers = {{"content-type", type}}, .body = body};
    EXPECT_EQ(failure_of([&] { OpenAiReader().read(response); }).kind(), kind) << body;
  }
  const net::HttpResponse page{.status = 200, .headers = {}, .body = std::string(500, 'x')};
  const std::string message = failure_of([&] { OpenAiReader().read(page); }).message();
  EXPECT_NE(message.find(std::string(70, 'x')), std::string::npos);
  EXPECT_EQ(message.find(std::string(90, 'x')), std::string::npos);
}

const std::string kStream =
    ": keep-alive\n\n"
    "data: "
    "{\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":"
    "\"\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hé\"}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"llo\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}],\"usage\":null}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":2}}\n\n"
    "data: [DONE]\n\n";

TEST(OpenAiStream, GivesTheSameAnswerWhereverItIsSplit) {
  for (std::size_t at = 0; at <= kStream.size(); ++at) {
    OpenAiReader stream;
    std::string text = stream.feed(std::string_view(kStream).substr(0, at));
    text += stream.feed(std::string_view(kStream).substr(at));
    ASSERT_EQ(text, "Héllo") << at;
    const auto reply = reply_of(stream.answer(), request_of("x"));
    ASSERT_EQ(reply.text, "Héllo") << at;
    ASSERT_EQ(reply.finish, Finish::Length) << at;
    ASSERT_EQ(reply.model, "m-1") << at;
    const core::Usage expected{.calls = 1, .input = {4}, .output = {2}};
    ASSERT_EQ(reply.usage, expected) << at;
  }
}

TEST(OpenAiStream, IsCompleteFromItsFinishReasonOn) {
  const std::size_t finish = kStream.find("\"finish_reason\"");
  const std::size_t end = kStream.find("\n\n", finish) + 2;
  for (std::size_t at = 0; at <= kStream.size(); ++at) {
    OpenAiReader stream;
    stream.feed(std::string_view(kStream).substr(0, at));
    EXPECT_EQ(stream.is_complete(), at >= end) << at;
  }
}

TEST(OpenAiStream, MayEndByDoneAlone) {
  OpenAiReader stream;
  stream.feed("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n");
  EXPECT_FALSE(stream.is_complete());
  stream.feed("data: [DONE]\n\n");
  EXPECT_TRUE(stream.is_complete());
}

TEST(OpenAiStream, ThrowsTheErrorItCarries) {
  OpenAiReader stream;
  const auto feed = [&] {
    stream.feed("data: {\"error\":{\"message\":\"overloaded\",\"code\":429}}\n\n");
  };
  EXPECT_EQ(failure_of(feed).kind(), ErrorKind::Overloaded);
  const auto garbage = [&] { stream.feed("data: {nonsense\n\n"); };
  EXPECT_EQ(failure_of(garbage).kind(), ErrorKind::Corrupt);
}

}  // namespace
}  // namespace hone::model
