#include "hone/reflect/escalation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/net/fake_server.h"
#include "hone/reflect/testing.h"

namespace hone::reflect {
namespace {

// Keeps the request and ends as it is told.
class FakeRunner final : public core::Runner {
 public:
  explicit FakeRunner(core::ProcessResult result) : result_(std::move(result)) {}
  async<core::ProcessResult> run(core::Context context,
                                 const core::ProcessRequest& request) override {
    asked = request;
    path = context.path;
    co_return result_;
  }

  core::ProcessRequest asked;
  std::string path;

 private:
  core::ProcessResult result_;
};

core::Run given_up() {
  core::Run run = two_attempts();
  run.id = "r1";
  run.task.name = "sums";
  for (core::Attempt& attempt : run.attempts) {
    attempt.reflection = core::Reflection{.text = "It was wrong.",
                                          .why = "haste with key sk-abc",
                                          .rule = "Check number " + std::to_string(attempt.number)};
  }
  run.recalled = {{"0123456789abcdef", "Add slowly."}};
  run.stop = core::Stop{core::StopReason::MaxAttempts, "2 of 2 attempts were made"};
  run.selected = 2;
  return run;
}

async<void> escalate_into(std::string& answer, core::Escalation& escalation, core::Context context,
                          const core::Run& run) {
  answer = co_await escalation.escalate(std::move(context), run);
}

std::string escalated(core::Runner& runner, EscalationOptions options) {
  core::TestScene scene;
  HandOver escalation(runner, std::move(options));
  const core::Run run = given_up();
  const core::Context context = scene.context().at("escalate");
  std::string answer;
  run_sync([&] { return escalate_into(answer, escalation, context, run); });
  return answer;
}

std::string refusal(core::Runner& runner, EscalationOptions options) {
  try {
    escalated(runner, std::move(options));
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(Escalation, TheChainHasEveryReflectionInOrder) {
  const Json chain = chain_of(given_up());
  EXPECT_EQ(chain["format"], 1);
  EXPECT_EQ(chain["run"], "r1");
  EXPECT_EQ(chain["task"], "Add 20 and 22.");
  EXPECT_EQ(chain["stop"]["reason"], "max_attempts");
  EXPECT_EQ(chain["selected"], 2);
  EXPECT_EQ(chain["output"], "second text");
  EXPECT_EQ(chain["evaluation"]["outcome"], "failed");
  ASSERT_EQ(chain["reflections"].size(), 2U);
  EXPECT_EQ(chain["reflections"][0]["attempt"], 1);
  EXPECT_EQ(chain["reflections"][0]["reasons"], Json::array({"too low"}));
  EXPECT_EQ(chain["reflections"][1]["rule"], "Check number 2");
  EXPECT_EQ(chain["recalled"][0]["text"], "Add slowly.");
}

TEST(Escalation, ARunWithoutAnythingHasAChainToo) {
  const Json chain = chain_of(core::Run());
  EXPECT_TRUE(chain["stop"].is_null());
  EXPECT_TRUE(chain["output"].is_null());
  EXPECT_TRUE(chain["reflections"].empty());
}

TEST(Escalation, ACommandGetsTheChainAndAnswersInALine) {
  FakeRunner runner({.exit_code = 0, .output = "ticket 42\n"});
  EXPECT_EQ(escalated(runner, {.to = "./ticket.sh", .timeout = std::chrono::seconds(5)}),
            "ticket 42");
  EXPECT_EQ(runner.asked.command, "./ticket.sh");
  EXPECT_EQ(runner.asked.timeout, std::chrono::seconds(5));
  EXPECT_EQ(runner.asked.environment.at("HONE_RUN"), "r1");
  EXPECT_EQ(runner.asked.environment.at("HONE_STOP"), "max_attempts");
  EXPECT_EQ(parse_json(runner.asked.input), chain_of(given_up()));
  EXPECT_TRUE(runner.path.ends_with("escalate/hand_over/1")) << runner.path;
}

TEST(Escalation, ReflectionsGoOutInGenericWords) {
  FakeRunner runner({.exit_code = 0});
  const auto wording = [](std::string_view text) {
    return text.find("sk-abc") == text.npos ? std::string(text) : std::string("a credential");
  };
  escalated(runner, {.to = "x", .wording = wording});
  EXPECT_EQ(runner.asked.input.find("sk-abc"), std::string::npos);
  EXPECT_EQ(parse_json(runner.asked.input)["reflections"][0]["why"], "a credential");
}

TEST(Escalation, SaysHowACommandFailed) {
  struct Case {
    core::ProcessResult result;
    std::string message;
  };
  const Case cases[] = {
      {{.exit_code = 3, .errors = "no such board\n"}, "`x` ended with 3: no such board"},
      {{.exit_code = 1}, "`x` ended with 1"},
      {{.signal = 9}, "`x` was ended by signal 9"},
      {{.signal = 9, .timed_out = true}, "`x` did not end within 60.0 s"}};
  for (const Case& each : cases) {
    FakeRunner runner(each.result);
    EXPECT_EQ(refusal(runner, {.to = "x"}), each.message);
  }
  FakeRunner runner({});
  EXPECT_EQ(refusal(runner, {.to = " "}), "there is nobody to escalate to");
}

TEST(Escalation, OnlyAnAddressIsAWebhook) {
  EXPECT_TRUE(is_webhook("https://example.com/hook"));
  EXPECT_TRUE(is_webhook("http://localhost:8080"));
  EXPECT_FALSE(is_webhook("./hook.sh http://example.com"));
  EXPECT_FALSE(is_webhook("http://example.com | cat"));
}

TEST(Escalation, AWebhookIsPostedTheChain) {
  net::FakeServer server(std::vector<net::FakeReply>{{.status = 201, .chunks = {"ticket 7"}}});
  WebhookRunner runner;
  EXPECT_EQ(escalated(runner, {.to = server.url("/hook")}), "ticket 7");
  ASSERT_EQ(server.requests().size(), 1U);
  const net::FakeRequest request = server.requests().front();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/hook");
  EXPECT_EQ(request.header("content-type"), "application/json");
  EXPECT_EQ(parse_json(request.body), chain_of(given_up()));
}

TEST(Escalation, AWebhookThatRefusesTookNothingOver) {
  net::FakeServer server(std::vector<net::FakeReply>{{.status = 503}});
  WebhookRunner runner;
  EXPECT_EQ(refusal(runner, {.to = server.url("/hook")}),
            "`" + server.url("/hook") + "` ended with 1: HTTP status 503");
}

TEST(Escalation, AWebhookThatDoesNotAnswerIsGivenUp) {
  net::FakeServer server(std::vector<net::FakeReply>{{.never_answers = true}});
  WebhookRunner runner;
  EXPECT_NE(refusal(runner, {.to = server.url(), .timeout = std::chrono::milliseconds(100)}), "");
}

}  // namespace
}  // namespace hone::reflect
