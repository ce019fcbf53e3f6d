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
  const Json body = sent({.model = "m", .is_provider = true}, request_of("x"));
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
  EXPECT_FALSE(sent({.model = "m", .takes_schemas = false}, request).contains("response_format"));
}

TEST(OpenAiRequest, StreamsWithUsageWhenDraftsAreWanted) {
  core::ModelRequest request = request_of("x");
  request.drafts = true;
  const Json body = sent({.model = "m"}, request);
  EXPECT_EQ(body["stream"], true);
  EXPECT_EQ(body["stream_options"]["include_usage"], true);
}

net::HttpResponse response_of(int status, std::string body,
                              std::vector<net::HttpHeader> headers = {}) {
  headers.push_back({"Content-Type", "application/json"});
  return {.status = status, .headers = std::move(headers), .body = std::move(body)};
}

core::ModelReply read(std::string body) {
  return openai_reply(read_openai_answer(response_of(200, std::move(body))),
                      request_of("abcdefgh"));
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

TEST(OpenAiReply, JoinsContentInParts) {
  EXPECT_EQ(
      read(
          R"({"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]})")
          .text,
      "ab");
  EXPECT_EQ(read(R"({"choices":[{"message":{"content":null}}]})").text, "");
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
    EXPECT_EQ(failure_of([&] { read_openai_answer(response); }).kind(), kind) << body;
  }
  const net::HttpResponse page{.status = 200, .headers = {}, .body = std::string(500, 'x')};
  const std::string message = failure_of([&] { read_openai_answer(page); }).message();
  EXPECT_NE(message.find(std::string(70, 'x')), std::string::npos);
  EXPECT_EQ(message.find(std::string(90, 'x')), std::string::npos);
}

const OpenAiServer kServer{
    .model = "m", .base_url = "http://h/v1", .key_name = "OPENAI_API_KEY", .has_key = true};

struct StatusCase {
  int status;
  const char* body;
  ErrorKind kind;
  const char* says;  // In message or hint.
};

TEST(OpenAiFailure, IsNamedByWhatToDoAboutIt) {
  const std::vector<StatusCase> cases = {
      {401, R"({"error":{"message":"Incorrect API key"}})", ErrorKind::InvalidInput,
       "the key was refused"},
      {401, "", ErrorKind::InvalidInput, "OPENAI_API_KEY"},
      {403, "{}", ErrorKind::InvalidInput, "the key was refused"},
      {404, R"({"error":{"code":"model_not_found"}})", ErrorKind::NotFound, "`m`"},
      {404, "<html>", ErrorKind::NotFound, "`hone models`"},
      {429, R"({"error":{"message":"slow down"}})", ErrorKind::Overloaded, "slow down"},
      {429, R"({"error":{"code":"insufficient_quota"}})", ErrorKind::InvalidInput, "credit"},
      {500, "oops", ErrorKind::Unavailable, "oops"},
      {502, "<html>bad gateway</html>", ErrorKind::Unavailable, "bad gateway"},
      {503, "", ErrorKind::Unavailable, "503"},
      {529, "", ErrorKind::Overloaded, "529"},
      {408, "", ErrorKind::Unavailable, "408"},
      {400, R"({"error":{"message":"too big","code":"context_length_exceeded"}})",
       ErrorKind::InvalidInput, "does not fit"},
      {400, R"({"error":{"message":"the request exceeds the available context size"}})",
       ErrorKind::InvalidInput, "does not fit"},
      {400, R"({"error":{"message":"no","code":"content_policy_violation"}})", ErrorKind::Refused,
       "no"},
      {400, R"({"error":{"message":"bad temperature"}})", ErrorKind::InvalidInput,
       "bad temperature"},
      {400, R"({"error":"plain text"})", ErrorKind::InvalidInput, "plain text"},
      {422, R"({"detail":[{"msg":"field required"}]})", ErrorKind::InvalidInput, "field required"},
      {302, "", ErrorKind::InvalidInput, "redirects"},
  };
  for (const auto& [status, body, kind, says] : cases) {
    const Error error = openai_failure(kServer, response_of(status, body), Instant{});
    EXPECT_EQ(error.kind(), kind) << status << " " << body;
    EXPECT_NE((error.message() + " " + error.hint()).find(says), std::string::npos)
        << error.message();
  }
}

TEST(OpenAiFailure, WithoutAKeySaysThatOneIsWanted) {
  OpenAiServer server = kServer;
  server.has_key = false;
  const Error error = openai_failure(server, response_of(401, ""), Instant{});
  EXPECT_NE(error.message().find("asks for a key"), std::string::npos);
}

TEST(OpenAiFailure, CarriesHowLongToWait) {
  const auto response = response_of(429, "{}", {{"Retry-After", "1.5"}});
  EXPECT_EQ(openai_failure(kServer, response, Instant{}).retry_after(),
            std::chrono::milliseconds(1500));
  EXPECT_EQ(openai_failure(kServer, response_of(429, "{}"), Instant{}).retry_after(), std::nullopt);
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
    OpenAiStream stream;
    std::string text = stream.feed(std::string_view(kStream).substr(0, at));
    text += stream.feed(std::string_view(kStream).substr(at));
    ASSERT_EQ(text, "Héllo") << at;
    const auto reply = openai_reply(stream.answer(), request_of("x"));
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
    OpenAiStream stream;
    stream.feed(std::string_view(kStream).substr(0, at));
    EXPECT_EQ(stream.is_complete(), at >= end) << at;
  }
}

TEST(OpenAiStream, MayEndByDoneAlone) {
  OpenAiStream stream;
  stream.feed("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n");
  EXPECT_FALSE(stream.is_complete());
  stream.feed("data: [DONE]\n\n");
  EXPECT_TRUE(stream.is_complete());
}

TEST(OpenAiStream, ThrowsTheErrorItCarries) {
  OpenAiStream stream;
  const auto feed = [&] {
    stream.feed("data: {\"error\":{\"message\":\"overloaded\",\"code\":429}}\n\n");
  };
  EXPECT_EQ(failure_of(feed).kind(), ErrorKind::Overloaded);
  const auto garbage = [&] { stream.feed("data: {nonsense\n\n"); };
  EXPECT_EQ(failure_of(garbage).kind(), ErrorKind::Corrupt);
}

}  // namespace
}  // namespace hone::model
