// Faults of servers that a model meets, each by its name, for every provider.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "hone/async/clock.h"
#include "hone/core/paid_error.h"
#include "hone/model/continued.h"
#include "hone/model/http_testing.h"
#include "hone/model/retried.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

using namespace std::chrono_literals;
using net::FakeReply;
using net::FakeRequest;
using net::FakeServer;

class Faults : public testing::TestWithParam<WireKind> {
 protected:
  FakeReply hello() const { return whole_reply(GetParam().whole({})); }
  std::unique_ptr<core::Model> model(const FakeServer& server, CallLimits limits = {}) const {
    return GetParam().model(server.url(), limits);
  }
  // As runs have it: failures that may pass are retried, here without waiting.
  Retried retried(const FakeServer& server) const {
    return Retried(model(server), {.backoff = Duration{}});
  }
  Error failure(const FakeServer& server, CallLimits limits = {}, bool drafts = false) const {
    Call call;
    core::ModelRequest request = Asked{};
    request.drafts = drafts;
    const auto asked = model(server, limits);
    return call.failure(*asked, request);
  }
};

FakeReply failing(int status) { return {.status = status, .chunks = {"{}"}}; }

TEST_P(Faults, Status429WithRetryAfter2sIsWaitedForAsLong) {
  FakeReply busy = failing(429);
  busy.headers = {{"Retry-After", "2"}};
  FakeServer server({busy, hello()});
  Retried asked = retried(server);
  Call call;
  const Instant began = call.clock().now();
  EXPECT_EQ(call.text(asked, {}), "Hellö.");
  const Duration waited = call.clock().now() - began;
  EXPECT_GE(waited, 2s);
  EXPECT_LT(waited, 2100ms);
}

TEST_P(Faults, Status500OnceIsRetried) {
  FakeServer server({failing(500), hello()});
  Retried asked = retried(server);
  Call call;
  EXPECT_EQ(call.text(asked, {}), "Hellö.");
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_P(Faults, Status500ForGoodIsUnavailableAfterTwoRetries) {
  FakeServer server([](const FakeRequest&) { return failing(500); });
  Retried asked = retried(server);
  Call call;
  EXPECT_EQ(call.failure(asked, Asked{}).kind(), ErrorKind::Unavailable);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_P(Faults, Status529IsOverloadedAndRetried) {
  FakeServer server({failing(529), hello()});
  Retried asked = retried(server);
  Call call;
  EXPECT_EQ(call.text(asked, {}), "Hellö.");
  FakeServer busy({failing(529)});
  EXPECT_EQ(failure(busy).kind(), ErrorKind::Overloaded);
}

TEST_P(Faults, ADropOnceIsRetried) {
  FakeReply dropped = hello();
  dropped.cut_after = 10;
  FakeServer server({dropped, hello()});
  Retried asked = retried(server);
  Call call;
  EXPECT_EQ(call.text(asked, {}), "Hellö.");
}

TEST_P(Faults, ADropInTheMiddleOfAStreamIsRetriedAndItsDraftsTakenBack) {
  const std::string stream = GetParam().stream({});
  FakeReply dropped = stream_reply({stream});
  dropped.cut_after = stream.find("Hel") + 8;
  while (stream.substr(*dropped.cut_after - 2, 2) != "\n\n") ++*dropped.cut_after;
  FakeServer server({dropped, stream_reply({stream})});
  Retried asked = retried(server);
  Call call;
  core::ModelRequest request = Asked{};
  request.drafts = true;
  const core::ModelReply reply = call.reply(asked, request);
  EXPECT_EQ(reply.text, "Hellö.");
  EXPECT_EQ(call.drafted(1), "HelHellö.");
  EXPECT_EQ(call.count<core::Retracted>(), 1U);
  EXPECT_EQ(reply.usage.calls, 2);
  EXPECT_TRUE(reply.usage.estimated);
}

TEST_P(Faults, AnEmptyAnswerOnceIsAskedAgainAndPaidFor) {
  FakeServer server({whole_reply(GetParam().whole({.pieces = {" \n"}})), hello()});
  Retried asked = retried(server);
  Call call;
  const core::ModelReply reply = call.reply(asked, Asked{});
  EXPECT_EQ(reply.text, "Hellö.");
  EXPECT_EQ(reply.usage.calls, 2);
  EXPECT_EQ(reply.usage.output.count, 10);
}

TEST_P(Faults, AHalfAnswerIsGoneOnWithAndNeverTakenForWhole) {
  const Spoken half{.pieces = {"Hel"}, .ending = Ending::Length};
  FakeServer server(
      {whole_reply(GetParam().whole(half)), whole_reply(GetParam().whole({.pieces = {"lö."}}))});
  Continued asked(model(server));
  Call call;
  const core::ModelReply reply = call.reply(asked, Asked{});
  EXPECT_EQ(reply.text, "Hellö.");
  EXPECT_EQ(reply.finish, core::Finish::Complete);
  const Json second = parse_json(server.requests().at(1).body);
  EXPECT_EQ(second["messages"].size(), 3U);
  EXPECT_EQ(second["messages"][1]["role"], "assistant");
}

TEST_P(Faults, ASlowServerEndsAtTheLimitOnItsFirstByte) {
  FakeReply silence;
  silence.never_answers = true;
  FakeServer server({silence});
  const Error error = failure(server, {.first_byte = 30ms});
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.message().find("did not begin to answer within 30 ms"), std::string::npos);
}

TEST_P(Faults, AStreamThatFallsSilentEndsAtTheLimitOnStalls) {
  FakeReply half = stream_reply({GetParam().stream({}).substr(0, 200)});
  half.stays_silent = true;
  FakeServer server({half});
  const Error error = failure(server, {.stall = 30ms}, true);
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.message().find("fell silent"), std::string::npos) << error.message();
}

TEST_P(Faults, AReplyOver100MegabytesIsRefused) {
  const std::string megabyte(1'000'000, ' ');
  FakeReply huge = whole_reply("");
  huge.chunks = std::vector<std::string>(101, megabyte);
  FakeServer server({huge});
  const Error error = failure(server, {.reply_bytes = 100'000'000});
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(error.message().find("is longer than 100000000 bytes"), std::string::npos)
      << error.message();
}

TEST_P(Faults, AnEndlessStreamEndsAtTheLimitOnBytes) {
  FakeReply endless = stream_reply(std::vector<std::string>(2000, ": nothing\n\n"));
  endless.stays_silent = true;
  FakeServer server({endless});
  const Error error = failure(server, {.reply_bytes = 10'000}, true);
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_TRUE(server.wait_for_aborted(1));
}

TEST_P(Faults, AnEndlessStreamOfFewBytesEndsAtTheLimitOnAll) {
  FakeReply endless = stream_reply(std::vector<std::string>(2000, ": nothing\n\n"));
  endless.between = 10ms;
  FakeServer server({endless});
  const Error error = failure(server, {.total = 60ms}, true);
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.message().find("did not answer within 60 ms"), std::string::npos);
}

TEST_P(Faults, ARedirectIsRefusedAndSeesNoKey) {
  FakeServer elsewhere({hello()});
  for (const int status : {301, 302, 307, 308}) {
    FakeServer server({{.status = status, .headers = {{"Location", elsewhere.url("/v1")}}}});
    const Error error = failure(server);
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << status;
    EXPECT_NE(error.message().find("redirects to " + elsewhere.url()), std::string::npos);
    EXPECT_NE(error.hint().find("no key was sent there"), std::string::npos);
  }
  EXPECT_EQ(elsewhere.connections(), 0U);
}

TEST_P(Faults, AWrongContentTypeIsReadByWhatIsInIt) {
  FakeReply page{.headers = {{"Content-Type", "text/html"}}, .chunks = {"<html>Log in</html>"}};
  FakeServer web({page});
  const Error error = failure(web);
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(error.message().find("is not JSON: <html>Log in</html>"), std::string::npos);
  FakeReply unnamed = hello();
  unnamed.headers = {{"Content-Type", "text/plain"}};
  FakeReply stream = stream_reply({GetParam().stream({})});
  stream.headers = {};
  FakeServer server({unnamed, stream});
  const auto asked = model(server);
  Call call;
  EXPECT_EQ(call.text(*asked, {}), "Hellö.");
  EXPECT_EQ(call.text(*asked, {}), "Hellö.");
}

TEST_P(Faults, DuplicateFieldsOfEventsAreReadAsTheStandardSays) {
  std::string stream = GetParam().stream({});
  for (std::size_t at = stream.find("data: {"); at != std::string::npos;
       at = stream.find("data: {", at + 30)) {
    stream.replace(at, 7, "event: other\nid: 1\nid: 2\ndata: {\ndata: ");
  }
  FakeServer server({stream_reply({stream})});
  const auto asked = model(server);
  Call call;
  core::ModelRequest request = Asked{};
  request.drafts = true;
  EXPECT_EQ(call.reply(*asked, request).text, "Hellö.");
}

TEST_P(Faults, AStreamWithNothingInItIsUnavailable) {
  FakeReply nothing = stream_reply({});
  FakeServer server({nothing});
  EXPECT_EQ(failure(server, {}, true).kind(), ErrorKind::Unavailable);
}

TEST_P(Faults, AnEventThatIsNoJsonIsCorruptAndNamed) {
  FakeServer server({stream_reply({"data: {nonsense\n\n"})});
  const Error error = failure(server, {}, true);
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(error.message().find("{nonsense"), std::string::npos);
}

TEST_P(Faults, AKeyThatIsRefusedIsNamedAndNeverShown) {
  FakeServer server({{.status = 401, .chunks = {R"({"error":{"message":"bad key"}})"}}});
  const Error error = failure(server);
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_NE(error.message().find("the key was refused"), std::string::npos);
  EXPECT_EQ((error.message() + error.hint()).find("sk-secret"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Providers, Faults, testing::ValuesIn(wire_kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hone::model
