// What every model behind HTTP does, over a server that tears its answers at every byte.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "hone/core/paid_error.h"
#include "hone/model/anthropic_wire.h"
#include "hone/model/http_testing.h"
#include "hone/model/openai_wire.h"
#include "hone/model/retried.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

using net::FakeReply;
using net::FakeRequest;
using net::FakeServer;

const core::Usage kUsage{.calls = 1, .input = {9}, .output = {5}, .cached = {4}};
const std::vector<core::ToolCall> kCalls{{"call_1", "clock", {R"({"zone":"UTC"})"}},
                                         {"call_2", "sum", {R"({"of":[1,2]})"}}};

core::ModelRequest asked(bool drafts) {
  core::ModelRequest request = Asked{core::Role::Generate, 1, "Say hello."};
  request.drafts = drafts;
  return request;
}

core::ModelRequest asked_with_tools() {
  core::ModelRequest request = asked(true);
  const JsonText schema{R"({"type":"object"})"};
  request.tools = {{"clock", "Tells the time.", schema}, {"sum", "Adds.", schema}};
  return request;
}

// Answers with `stream`, torn in two at the next byte with every request.
class TearingServer {
 public:
  explicit TearingServer(std::string stream)
      : stream_(std::move(stream)), server_([this](const FakeRequest&) { return next(); }) {}

  std::size_t tears() const { return stream_.size() + 1; }
  std::string url() const { return server_.url("/v1"); }

 private:
  FakeReply next() {
    const std::size_t at = next_++ % tears();
    // An empty chunk would end the body.
    if (at == 0 || at == stream_.size()) return stream_reply({stream_});
    return stream_reply({stream_.substr(0, at), stream_.substr(at)});
  }

  std::string stream_;
  std::size_t next_ = 0;
  FakeServer server_;
};

class HttpConformance : public testing::TestWithParam<WireKind> {
 protected:
  // Calls `check` with each call's outcome, one for each place at which the stream is torn.
  void at_every_tear(const Spoken& spoken, const core::ModelRequest& request,
                     const std::function<void(const core::ModelReply&, const Call&)>& check) {
    TearingServer server(GetParam().stream(spoken));
    const auto model = GetParam().model(server.url());
    for (std::size_t tear = 0; tear < server.tears() && !HasFailure(); ++tear) {
      SCOPED_TRACE(tear);
      Call call;
      const core::ModelReply reply = call.reply(*model, request);
      check(reply, call);
    }
  }

  void fails_at_every_tear(const Spoken& spoken,
                           const std::function<void(const core::PaidError&)>& check) {
    TearingServer server(GetParam().stream(spoken));
    const auto model = GetParam().model(server.url());
    for (std::size_t tear = 0; tear < server.tears() && !HasFailure(); ++tear) {
      SCOPED_TRACE(tear);
      Call call;
      try {
        call.reply(*model, asked(true));
        ADD_FAILURE() << "it succeeded";
      } catch (const core::PaidError& error) {
        check(error);
      }
    }
  }
};

TEST_P(HttpConformance, ReadsTextWhereverTheStreamIsTorn) {
  at_every_tear({}, asked(true), [](const core::ModelReply& reply, const Call& call) {
    EXPECT_EQ(reply.text, "Hellö.");
    EXPECT_EQ(call.drafted(1), "Hellö.");
    EXPECT_EQ(reply.finish, core::Finish::Complete);
    EXPECT_EQ(reply.model, "m-1");
    EXPECT_EQ(reply.usage, kUsage);
  });
}

TEST_P(HttpConformance, AssemblesToolCallsWhereverTheStreamIsTorn) {
  const Spoken spoken{.pieces = {"Let me see."}, .ending = Ending::ToolCalls, .calls = kCalls};
  at_every_tear(spoken, asked_with_tools(), [](const core::ModelReply& reply, const Call& call) {
    EXPECT_EQ(reply.tool_calls, kCalls);
    EXPECT_EQ(reply.text, "Let me see.");
    EXPECT_EQ(reply.finish, core::Finish::Complete);
    EXPECT_EQ(call.drafted(1), "Let me see.");
  });
}

TEST_P(HttpConformance, SaysThatAnAnswerIsHalf) {
  const Spoken spoken{.ending = Ending::Length};
  at_every_tear(spoken, asked(true), [](const core::ModelReply& reply, const Call&) {
    EXPECT_EQ(reply.text, "Hellö.");
    EXPECT_EQ(reply.finish, core::Finish::Length);
  });
}

TEST_P(HttpConformance, EstimatesUsageThatIsNotTold) {
  const Spoken spoken{.tells_usage = false};
  at_every_tear(spoken, asked(true), [](const core::ModelReply& reply, const Call&) {
    EXPECT_TRUE(reply.usage.estimated);
    EXPECT_GT(reply.usage.input.count, 0);
    EXPECT_GT(reply.usage.output.count, 0);
  });
}

TEST_P(HttpConformance, ThrowsARefusalWithItsCost) {
  fails_at_every_tear({.ending = Ending::Refused}, [](const core::PaidError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Refused);
    EXPECT_EQ(error.usage(), kUsage);
  });
}

TEST_P(HttpConformance, ThrowsAnErrorInTheMiddleOfAStreamWithItsCost) {
  const auto check = [](ErrorKind kind) {
    return [kind](const core::PaidError& error) {
      EXPECT_EQ(error.kind(), kind) << error.message();
      EXPECT_NE(error.message().find("too bad"), std::string::npos);
      EXPECT_TRUE(error.usage().estimated);
      EXPECT_GT(error.usage().output.count, 0);
    };
  };
  fails_at_every_tear({.error = "overloaded_error"}, check(ErrorKind::Overloaded));
  fails_at_every_tear({.error = "api_error"}, check(ErrorKind::Unavailable));
}

TEST_P(HttpConformance, ReadsAnswersThatComeAtOnce) {
  const Spoken tools{.ending = Ending::ToolCalls, .calls = kCalls};
  FakeServer server({whole_reply(GetParam().whole({})),
                     whole_reply(GetParam().whole({.ending = Ending::Length})),
                     whole_reply(GetParam().whole(tools))});
  const auto model = GetParam().model(server.url());
  Call call;
  const core::ModelReply hello = call.reply(*model, asked(false));
  EXPECT_EQ(hello.text, "Hellö.");
  EXPECT_EQ(hello.usage, kUsage);
  EXPECT_EQ(call.reply(*model, asked(false)).finish, core::Finish::Length);
  EXPECT_EQ(call.reply(*model, asked_with_tools()).tool_calls, kCalls);
}

TEST_P(HttpConformance, RefusesToCallAToolThatNobodyGaveComplete) {
  const Spoken spoken{.ending = Ending::ToolCalls, .calls = kCalls};
  FakeServer server({whole_reply(GetParam().whole(spoken))});
  Call call;
  const auto model = GetParam().model(server.url());
  EXPECT_EQ(call.reply(*model, asked(false)).finish, core::Finish::Interrupted);
}

// Whether the stream says that the answer has ended in its first `bytes` bytes.
bool is_whole_after(const WireKind& kind, const std::string& stream, std::size_t bytes) {
  OpenAiReader openai;
  AnthropicReader anthropic;
  AnswerReader& reader = kind.name == "openai" ? static_cast<AnswerReader&>(openai) : anthropic;
  reader.feed(std::string_view(stream).substr(0, bytes));
  return reader.is_complete();
}

TEST_P(HttpConformance, AsksAgainWhereverTheConnectionBreaksAndTakesTheDraftsBack) {
  const std::string stream = GetParam().stream({});
  std::size_t cut = 0;
  bool is_first = true;
  FakeServer server([&](const FakeRequest&) {
    FakeReply reply = stream_reply({stream});
    if (std::exchange(is_first, false)) reply.cut_after = cut;
    return reply;
  });
  const RetryOptions at_once{.backoff = Duration{}};
  for (cut = 0; cut < stream.size() && !HasFailure(); ++cut) {
    SCOPED_TRACE(cut);
    is_first = true;
    Retried model(GetParam().model(server.url()), at_once);
    Call call;
    const std::size_t before = server.requests().size();
    const core::ModelReply reply = call.reply(model, asked(true));
    EXPECT_EQ(reply.text, "Hellö.");
    const bool was_whole = is_whole_after(GetParam(), stream, cut);
    EXPECT_EQ(server.requests().size() - before, was_whole ? 1U : 2U);
    const bool was_retracted = call.count<core::Retracted>() == 1;
    EXPECT_EQ(call.drafted(1).size() > reply.text.size(), was_retracted && !was_whole);
  }
}

INSTANTIATE_TEST_SUITE_P(Providers, HttpConformance, testing::ValuesIn(wire_kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hone::model
