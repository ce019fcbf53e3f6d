#include "hone/core/json_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "hone/core/arbitrary_words.h"

namespace hone::core {
namespace {

RC_GTEST_PROP(JournalText, OfEventsReadsBackAsTheSameRun, ()) {
  core::Run original;
  core::Run read;
  for (const Event& event : any_events()) {
    const Instant at = any_instant();
    const std::string text = journal_text(event);
    const Event again = event_from_json(parse_json(text));
    RC_ASSERT(journal_text(again) == text);
    apply(original, event, at);
    apply(read, again, at);
  }
  RC_ASSERT(read == original);
}

RC_GTEST_PROP(JournalText, OfRepliesAndResultsReadsBackEqual, ()) {
  const auto call = [] { return ToolCall{any_text(), any_text(), JsonText{any_text()}}; };
  const auto probability = [] { return 1.0 / (1.0 + std::abs(any_int())); };
  const ModelReply reply{any_text(),  any_of<Finish>(3), any_text(),
                         any_usage(), some(call),        some(probability)};
  RC_ASSERT(model_reply_from_json(parse_json(journal_text(reply))) == reply);
  const ProcessResult result{maybe(any_int), maybe(any_int), any_bool(),
                             any_text(),     any_text(),     any_bool()};
  RC_ASSERT(process_result_from_json(parse_json(journal_text(result))) == result);
}

TEST(JournalText, OfAFailureKeepsItsKindAndWhatToTry) {
  Error error(ErrorKind::Overloaded, "the server is busy", "wait");
  error.wait(std::chrono::milliseconds(1500));
  const Error read = error_from_json(parse_json(journal_text(error)));
  EXPECT_EQ(read.kind(), ErrorKind::Overloaded);
  EXPECT_EQ(read.message(), "the server is busy");
  EXPECT_EQ(read.hint(), "wait");
  EXPECT_EQ(read.retry_after(), std::chrono::milliseconds(1500));
}

TEST(JournalText, OfAFailureKeepsWhatItHasCost) {
  const Usage usage{.calls = 1, .input = {40}, .output = {7}, .reasoning = {3}};
  const PaidError error(Error(ErrorKind::Unavailable, "the stream broke off"), usage);
  EXPECT_EQ(error_from_json(parse_json(journal_text(error))).usage(), usage);
  const Error free(ErrorKind::Unavailable, "nothing answered");
  EXPECT_EQ(journal_text(free), journal_text(PaidError(free, {})));
  EXPECT_EQ(error_from_json(parse_json(journal_text(free))).usage(), Usage{});
}

ModelRequest sample_request() {
  ModelRequest request;
  request.role = Role::Evaluate;
  request.attempt = 2;
  request.messages = {{Speaker::System, "Be brief."}, {Speaker::User, "Grüße\n\"quoted\"\t\x02"}};
  request.sampling.temperature = 0.7;
  request.sampling.top_p = 1.0;
  request.sampling.max_tokens = Tokens{2048};
  request.sampling.seed = 18446744073709551615ULL;
  request.schema = JsonText{"{\"type\":\"object\"}"};
  return request;
}

TEST(JournalText, OfARequestIsCanonical) {
  const std::string text = journal_text(sample_request());
  EXPECT_EQ(text, dump_canonical(parse_json(text)));
  ProcessRequest process{"wc -c", "input", "/somewhere", {{"B", "2"}, {"A", "1"}}, {{"F", "x"}}};
  const std::string process_text = journal_text(process);
  EXPECT_EQ(process_text, dump_canonical(parse_json(process_text)));
}

ModelRequest request_with_tools() {
  ModelRequest request = sample_request();
  request.messages.push_back({Speaker::Assistant, "", {{"call_1", "clock", {"{}"}}}});
  request.messages.push_back({Speaker::Tool, "12:00", {}, "call_1"});
  request.tools = {{"clock", "Tells the time.", {R"({"type":"object"})"}}};
  request.choices = {"yes", "no"};
  request.stop = {"\n\n"};
  return request;
}

TEST(JournalText, OfARequestWithToolsIsCanonical) {
  const std::string text = journal_text(request_with_tools());
  EXPECT_EQ(text, dump_canonical(parse_json(text)));
  const Json json = parse_json(text);
  EXPECT_EQ(json["messages"][2]["tool_calls"][0]["name"], "clock");
  EXPECT_EQ(json["messages"][3]["tool_call"], "call_1");
  EXPECT_EQ(json["tools"][0]["schema"], R"({"type":"object"})");
  EXPECT_EQ(json["choices"], (Json{"yes", "no"}));
}

TEST(JournalText, OfARequestReadsBackAsTheSameRequest) {
  const ModelRequest request = request_with_tools();
  EXPECT_EQ(model_request_from_json(parse_json(journal_text(request))), request);
  EXPECT_EQ(model_request_from_json(parse_json(journal_text(ModelRequest()))), ModelRequest());
}

// The digest of a request that older versions recorded.
TEST(JournalText, OfARequestWithoutToolsIsWhatItWas) {
  ModelRequest request;
  request.messages = {{Speaker::User, "Hi."}};
  EXPECT_EQ(journal_text(request), R"({"attempt":1,"messages":[{"speaker":"user","text":"Hi."}],)"
                                   R"("role":"generate","sampling":{}})");
}

TEST(JournalText, OfARequestTellsWhatChangesTheAnswerAndNothingElse) {
  const ModelRequest base = sample_request();
  ModelRequest same = base;
  same.drafts = true;
  same.prompt = {"judge", "0123456789ab"};
  same.messages[1].shared = 3;
  EXPECT_EQ(journal_text(same), journal_text(base));
  ModelRequest other = base;
  other.messages[1].text += ' ';
  EXPECT_NE(journal_text(other), journal_text(base));
  other = base;
  other.sampling.seed.reset();
  EXPECT_NE(journal_text(other), journal_text(base));
}

TEST(JournalText, PassesTheRedactor) {
  const std::string secret = "sk-proj-abcdefghijklmnop1234567890";
  Redactor redactor;
  ModelRequest request = sample_request();
  request.messages[1].text = "line\n" + secret;
  EXPECT_EQ(journal_text(request, &redactor).find(secret), std::string::npos);
  EXPECT_EQ(redactor.count(), 1u);
  const ModelReply reply{"use " + secret, Finish::Complete, "m", {}};
  EXPECT_EQ(model_reply_from_json(parse_json(journal_text(reply, &redactor))).text,
            "use [OPENAI_KEY_1]");
  ProcessRequest process;
  process.files = {{"mails of ada@example.org", "none"}};
  const std::string text = journal_text(process, &redactor);
  EXPECT_NE(text.find(R"("mails of [EMAIL_1]")"), std::string::npos) << text;
}

struct Damage {
  std::string name;
  std::string json;
};

TEST(EventFromJson, RefusesDamage) {
  const Damage cases[] = {
      {"not an object", "[]"},
      {"no event", "{}"},
      {"unknown event", R"({"event":"exploded"})"},
      {"no payload", R"({"event":"evaluated"})"},
      {"wrong type", R"({"event":"attempt_started","attempt":"1"})"},
      {"number too large", R"({"event":"attempt_started","attempt":99999999999})"},
      {"score out of range",
       R"({"event":"reevaluated","attempt":1,"evaluation":{"outcome":"passed","score":1.5},"usage":{}})"},
      {"unknown word", R"({"event":"stopped","reason":"bored"})"},
      {"bad bytes", R"({"event":"budget_warning","detail":{"bytes":"0g"}})"},
  };
  for (const Damage& damage : cases) {
    try {
      event_from_json(parse_json(damage.json));
      ADD_FAILURE() << damage.name << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << damage.name;
    }
  }
}

}  // namespace
}  // namespace hone::core
