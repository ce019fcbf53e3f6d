#include "hone/model/anthropic_wire.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

using core::Speaker;

core::ModelRequest request_of(std::string text) {
  core::ModelRequest request;
  request.messages = {{Speaker::System, "Be brief."}, {Speaker::User, std::move(text)}};
  return request;
}

Json sent(const core::ModelRequest& request, AnthropicDialect dialect = {}) {
  dialect.model = "m";
  return parse_json(anthropic_request(dialect, request));
}

const JsonText kSchema{
    R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"};

TEST(AnthropicRequest, PutsTheSystemPromptApartAndAlwaysHasALimit) {
  EXPECT_EQ(anthropic_request({.model = "m"}, request_of("Hi.")),
            R"({"model":"m","max_tokens":2048,"system":[{"type":"text","text":"Be brief.",)"
            R"("cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user",)"
            R"("content":[{"type":"text","text":"Hi."}]}]})");
}

TEST(AnthropicRequest, KeepsSamplingInItsLimits) {
  core::ModelRequest request = request_of("x");
  request.sampling = {.temperature = 1.7, .top_p = 0.5, .max_tokens = Tokens{9}, .seed = 1};
  request.stop = {"END"};
  const Json body = sent(request);
  EXPECT_EQ(body["temperature"], 1.0);
  EXPECT_EQ(body["max_tokens"], 9);
  EXPECT_EQ(body["stop_sequences"], Json::array({"END"}));
  EXPECT_FALSE(body.contains("top_p")) << "it takes one of them";
  EXPECT_FALSE(body.contains("seed"));
  request.sampling.temperature.reset();
  EXPECT_EQ(sent(request)["top_p"], 0.5);
  EXPECT_FALSE(sent(request, {.takes_sampling = false}).contains("top_p"));
}

TEST(AnthropicRequest, MarksTheSharedStartForTheCache) {
  core::ModelRequest request = request_of("The täsk. Judge it.");
  request.messages[1].shared = 6;  // In the middle of the "ä".
  const Json content = sent(request)["messages"][0]["content"];
  ASSERT_EQ(content.size(), 2U);
  EXPECT_EQ(content[0]["text"], "The t");
  EXPECT_EQ(content[0]["cache_control"]["type"], "ephemeral");
  EXPECT_EQ(content[1]["text"], "äsk. Judge it.");
  EXPECT_FALSE(content[1].contains("cache_control"));
  const Json plain = sent(request, {.takes_caching = false});
  EXPECT_EQ(dump(plain).find("cache_control"), std::string::npos);
}

TEST(AnthropicRequest, HasFourMarksAtMostAndNoBlankBlocks) {
  core::ModelRequest request;
  request.messages = {{Speaker::System, "s"}, {Speaker::System, " "}};
  for (int i = 0; i < 6; ++i) {
    request.messages.push_back({Speaker::User, "shared rest", {}, "", 6});
    request.messages.push_back({Speaker::Assistant, " \n"});
  }
  request.messages.push_back({Speaker::User, "all of it\n", {}, "", 9});
  const std::string body = dump(sent(request));
  std::size_t marks = 0;
  for (auto at = body.find("cache_control"); at != std::string::npos;
       at = body.find("cache_control", at + 1)) {
    ++marks;
  }
  EXPECT_EQ(marks, 4U);
  EXPECT_EQ(body.find(R"("text":" ")"), std::string::npos) << body;
  EXPECT_EQ(body.find(R"("text":"\n")"), std::string::npos) << body;
}

TEST(AnthropicRequest, CarriesToolsTheirCallsAndAnswers) {
  core::ModelRequest request = request_of("What time is it?");
  request.tools = {{"clock", "Tells the time.", kSchema}};
  request.messages.push_back(
      {Speaker::Assistant, "", {{"1", "clock", {R"({"a":"b"})"}}, {"2", "clock", {"oops"}}}});
  request.messages.push_back({Speaker::Tool, "12:00", {}, "1"});
  request.messages.push_back({Speaker::Tool, "13:00", {}, "2"});
  const Json body = sent(request);
  EXPECT_EQ(body["tools"][0]["name"], "clock");
  EXPECT_EQ(dump(body["tools"][0]["input_schema"]), kSchema.text);
  ASSERT_EQ(body["messages"].size(), 3U);
  EXPECT_EQ(dump(body["messages"][1]["content"]),
            R"([{"type":"tool_use","id":"1","name":"clock","input":{"a":"b"}},)"
            R"({"type":"tool_use","id":"2","name":"clock","input":{"arguments":"oops"}}])");
  EXPECT_EQ(dump(body["messages"][2]),
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"1",)"
            R"("content":"12:00"},{"type":"tool_result","tool_use_id":"2","content":"13:00"}]})");
}

TEST(AnthropicRequest, AsksForASchemaInThreeWays) {
  core::ModelRequest request = request_of("x");
  request.schema = kSchema;
  const Json enforced = sent(request)["output_config"]["format"];
  EXPECT_EQ(enforced["type"], "json_schema");
  EXPECT_EQ(enforced["schema"]["additionalProperties"], false);
  const Json forced = sent(request, {.format = AnthropicFormat::ForcedTool});
  EXPECT_EQ(forced["tool_choice"]["name"], kOutputTool);
  EXPECT_EQ(dump(forced["tools"][0]["input_schema"]), kSchema.text);
  const Json text = sent(request, {.format = AnthropicFormat::Text});
  EXPECT_FALSE(text.contains("tools") || text.contains("output_config"));
  request.schema = JsonText{R"({"type":"array"})"};
  const Json array = sent(request);
  EXPECT_FALSE(array.contains("tools") || array.contains("output_config"));
}

TEST(AnthropicRequest, ForcesNoToolBesideThoseOfTheRequest) {
  core::ModelRequest request = request_of("x");
  request.schema = JsonText{R"({"type":"object"})"};
  request.tools = {{"clock", "", kSchema}};
  const Json body = sent(request);
  EXPECT_EQ(body["tools"].size(), 1U);
  EXPECT_FALSE(body.contains("tool_choice"));
}

Answer read(std::string body) {
  return AnthropicReader().read({.status = 200, .headers = {}, .body = std::move(body)});
}

TEST(AnthropicReply, MapsEveryStopReason) {
  struct Case {
    std::string reason;
    core::Finish finish;
  };
  const Case cases[] = {{"end_turn", core::Finish::Complete},
                        {"stop_sequence", core::Finish::Complete},
                        {"max_tokens", core::Finish::Length},
                        {"model_context_window_exceeded", core::Finish::Length},
                        {"pause_turn", core::Finish::Interrupted},
                        {"something new", core::Finish::Interrupted}};
  for (const auto& [reason, finish] : cases) {
    const Answer answer =
        read(R"({"content":[{"type":"text","text":"x"}],"stop_reason":")" + reason + R"("})");
    EXPECT_EQ(reply_of(answer, request_of("x")).finish, finish) << reason;
  }
}

TEST(AnthropicReply, CountsCachedAndWrittenTokensIntoTheInput) {
  const Answer answer = read(
      R"({"model":"c-1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"x"}],
          "stop_reason":"end_turn","usage":{"input_tokens":5,"cache_read_input_tokens":30,
          "cache_creation_input_tokens":7,"output_tokens":20,
          "output_tokens_details":{"thinking_tokens":15}}})");
  const core::Usage expected{.calls = 1,
                             .input = {42},
                             .output = {20},
                             .cached = {30},
                             .reasoning = {15},
                             .cache_written = {7}};
  EXPECT_EQ(answer.usage, expected);
  EXPECT_EQ(answer.text, "x") << "thinking is no answer";
}

TEST(AnthropicReply, ARefusalSaysWhy) {
  const Answer answer =
      read(R"({"content":[],"stop_reason":"refusal","stop_details":{"explanation":"Not this."}})");
  try {
    reply_of(answer, request_of("x"));
    FAIL() << "it was an answer";
  } catch (const core::PaidError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Refused);
    EXPECT_NE(error.message().find("Not this."), std::string::npos);
  }
}

TEST(AnthropicReply, TheOutputToolIsTheText) {
  const Answer answer = read(R"({"content":[{"type":"tool_use","id":"1","name":"write_output",
                                 "input":{"a":"b"}}],"stop_reason":"tool_use"})");
  const core::ModelReply reply = reply_of(answer, request_of("x"));
  EXPECT_EQ(reply.text, R"({"a":"b"})");
  EXPECT_TRUE(reply.tool_calls.empty());
  EXPECT_EQ(reply.finish, core::Finish::Complete);
}

TEST(AnthropicStream, TheOutputToolIsTheTextAndAToolWithoutArgumentsHasNone) {
  AnthropicReader reader;
  const std::string text = reader.feed(
      "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":"
      "\"tool_use\",\"id\":\"1\",\"name\":\"write_output\",\"input\":{}}}\n\n"
      "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
      "\"input_json_delta\",\"partial_json\":\"{\\\"a\\\":1}\"}}\n\n"
      "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":"
      "\"tool_use\",\"id\":\"2\",\"name\":\"clock\",\"input\":{}}}\n\n"
      "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n");
  EXPECT_EQ(text, R"({"a":1})");
  ASSERT_EQ(reader.answer().tool_calls.size(), 1U);
  EXPECT_EQ(reader.answer().tool_calls[0].arguments.text, "{}");
}

struct Refusal {
  std::string message;
  AnthropicDialect next;
};

TEST(AnthropicConcession, LeavesOutWhatIsRefused) {
  core::ModelRequest request = request_of("x");
  request.schema = kSchema;
  request.sampling.temperature = 0.5;
  const Refusal refusals[] = {
      {"`temperature` is deprecated for this model.", {.takes_sampling = false}},
      {"system.0.cache_control: Extra inputs are not permitted", {.takes_caching = false}},
      {"output_config: Extra inputs are not permitted", {.format = AnthropicFormat::ForcedTool}},
      {"Thinking may not be enabled when tool_choice forces tool use.",
       {.format = AnthropicFormat::Text}},
  };
  for (const auto& [message, next] : refusals) {
    const std::string body = dump({{"type", "error"}, {"error", {{"message", message}}}});
    const auto conceded = anthropic_concession({}, request, {.status = 400, .body = body});
    ASSERT_TRUE(conceded) << message;
    EXPECT_EQ(conceded->dialect, next) << message;
  }
  const net::HttpResponse too_long{.status = 400,
                                   .body = R"({"error":{"message":"prompt is too long"}})"};
  EXPECT_FALSE(anthropic_concession({}, request, too_long));
}

}  // namespace
}  // namespace hone::model
