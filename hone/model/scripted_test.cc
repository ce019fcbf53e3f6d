#include "hone/model/scripted.h"

#include <gtest/gtest.h>

#include <fstream>

#include "hone/base/error.h"
#include "hone/model/testing.h"

namespace hone::model {
namespace {

using core::Role;

ScriptedModel scripted(std::string_view script) {
  return {parse_script(script, "s.yaml"), "s.yaml"};
}

TEST(Script, ReadsEveryKey) {
  const auto rules = parse_script(
      "- {role: evaluate, attempt: 2, contains: title, reply: {passed: true}, delay: 20ms,\n"
      "   usage: {input: 40, output: 12, cached: 3}, repeat: true}\n"
      "- {error: {status: 429, retry_after: 0.1}}\n"
      "- {error: disconnect, reply: half, delay: 1.5}\n",
      "s.yaml");
  ASSERT_EQ(rules.size(), 3u);
  const core::Usage usage{.calls = 1, .input = {40}, .output = {12}, .cached = {3}};
  const ScriptRule expected{.role = Role::Evaluate,
                            .attempt = 2,
                            .contains = "title",
                            .reply = R"({"passed":true})",
                            .usage = usage,
                            .delay = std::chrono::milliseconds(20),
                            .repeat = true};
  EXPECT_EQ(rules[0], expected);
  ASSERT_TRUE(rules[1].failure);
  EXPECT_EQ(rules[1].failure->status, 429);
  EXPECT_EQ(rules[1].failure->retry_after, std::chrono::milliseconds(100));
  EXPECT_EQ(rules[2].failure->kind, ScriptedFailure::Kind::Disconnect);
  EXPECT_EQ(rules[2].delay, std::chrono::milliseconds(1500));
}

TEST(Script, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"script: []", "s.yaml:1:1: the document must be a list of rules, this is a mapping"},
      {"", "s.yaml:1:1: the document must be a list of rules, this is nothing"},
      {"- {rol: generate, reply: x}", "s.yaml:1:4: unknown key `rol`; did you mean `role`?"},
      {"- {role: evalute, reply: x}",
       "s.yaml:1:10: `evalute` is no role; did you mean `evaluate`?"},
      {"- {role: 1, reply: x}", "s.yaml:1:10: `role` must be text, this is the whole number 1"},
      {"- {attempt: 0, reply: x}",
       "s.yaml:1:13: `attempt` must be a whole number from 1 to 1000000, this is the whole number "
       "0"},
      {"- {role: generate}", "s.yaml:1:3: the rule has no `reply` and no `error`"},
      {"- {reply: }",
       "s.yaml:1:11: `reply` must be text, or a value to write as JSON, this is "
       "nothing"},
      {"- {error: dissconnect}",
       "s.yaml:1:11: `dissconnect` is no failure; did you mean `disconnect`?"},
      {"- {error: {status: 200}}",
       "s.yaml:1:20: `error.status` must be a whole number from 400 to 599, this is the whole "
       "number 200"},
      {"- {error: {retry_after: 1}}", "s.yaml:1:11: the key `status` is missing in `error`"},
      {"- {error: timeout, reply: x}",
       "s.yaml:1:27: `reply` stands beside an `error` that comes without a reply"},
      {"- {reply: x, delay: soon}",
       "s.yaml:1:21: `delay` must be a time, such as 90s or 250ms, this is the text \"soon\""},
      {"- {reply: x, delay: -1}",
       "s.yaml:1:21: `delay` must be a number from 0 to 1000000000, this is the whole number -1"},
      {"- {reply: x, usage: {total: 1}}", "s.yaml:1:22: unknown key `total` in `usage`"},
      {"- {reply: x, repeat: yes}",
       "s.yaml:1:22: `repeat` must be true or false, this is the text \"yes\""},
      {"- {tool_calls: []}", "s.yaml:1:3: the rule has no `reply` and no `error`"},
      {"- {tool_calls: [{}]}", "s.yaml:1:17: the key `name` is missing in `tool_calls`"},
      {"- x", "s.yaml:1:3: the document must be a mapping, this is the text \"x\""},
  };
  for (const Case& c : cases) {
    try {
      parse_script(c.text, "s.yaml");
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), c.message);
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    }
  }
}

TEST(Script, FileThatIsNotThereIsNamed) {
  try {
    read_script("/nonexistent/s.yaml");
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_EQ(
        error.message(),
        "reading the script: `/nonexistent/s.yaml` cannot be read: No such file or directory");
  }
  EXPECT_THROW(read_script("/"), Error);
}

TEST(Scripted, FirstUnusedRuleThatFitsAnswers) {
  Call call;
  ScriptedModel model = scripted(
      "- {role: evaluate, contains: title, reply: a}\n"
      "- {role: evaluate, attempt: 2, reply: b}\n"
      "- {role: evaluate, reply: c}\n"
      "- {role: generate, reply: g}\n"
      "- {role: evaluate, repeat: true, reply: z}\n"
      "- {role: evaluate, reply: never}\n");
  EXPECT_EQ(call.text(model, {Role::Generate, 1, "title"}), "g");
  EXPECT_EQ(call.text(model, {Role::Evaluate, 1, "none"}), "c");
  EXPECT_EQ(call.text(model, {Role::Evaluate, 2, "the title"}), "a");
  EXPECT_EQ(call.text(model, {Role::Evaluate, 2, "the title"}), "b");
  EXPECT_EQ(call.text(model, {Role::Evaluate, 2, "the title"}), "z");
  EXPECT_EQ(call.text(model, {Role::Evaluate, 1, "none"}), "z");
}

TEST(Scripted, LooksInTheLastMessageOnly) {
  Call call;
  ScriptedModel model = scripted("- {contains: title, reply: a}\n- {reply: b}\n");
  core::ModelRequest request;
  request.messages = {{core::Speaker::System, "title"}, {core::Speaker::User, "none"}};
  EXPECT_EQ(call.reply(model, request).text, "b");
}

TEST(Scripted, EachRunStartsWithTheWholeScript) {
  ScriptedModel model = scripted("- {reply: a}\n- {reply: b}\n");
  Call one("one");
  Call two("two");
  EXPECT_EQ(one.text(model, {}), "a");
  EXPECT_EQ(two.text(model, {}), "a");
  EXPECT_EQ(one.text(model, {}), "b");
  EXPECT_EQ(two.text(model, {}), "b");
}

TEST(Scripted, RulesOfRecordedAnswersStayUsed) {
  const core::ModelReply recorded{.text = "b", .finish = {}, .model = "", .usage = {}};
  ScriptedModel model = scripted(
      "- {role: generate, error: disconnect}\n"
      "- {role: generate, reply: a}\n"
      "- {role: generate, reply: b}\n"
      "- {role: generate, reply: c}\n"
      "- {role: revise, error: refusal}\n- {role: revise, reply: r}\n"
      "- {role: reflect, error: disconnect}\n- {role: reflect, error: {status: 503}}\n"
      "- {role: reflect, error: disconnect}\n- {role: reflect, error: timeout}\n");
  // The tries that failed before the answer are used too; another attempt at once got `a`.
  model.mark_used("run", Asked{Role::Generate}, &recorded);
  model.mark_used("run", Asked{Role::Revise}, nullptr);
  model.mark_used("run", Asked{Role::Reflect}, nullptr);
  Call call("run");
  EXPECT_EQ(call.text(model, {Role::Generate}), "a");
  EXPECT_EQ(call.text(model, {Role::Generate}), "c");
  EXPECT_EQ(call.text(model, {Role::Revise}), "r");
  // Three tries of one call failed; the fourth rule was not reached.
  EXPECT_EQ(call.failure(model, Asked{Role::Reflect}).kind(), ErrorKind::DeadlineExceeded);
}

TEST(Scripted, ACallThatWasCutOffUsesNoRule) {
  ScriptedModel model = scripted("- {reply: a}\n");
  model.mark_used("run", Asked{}, nullptr);
  Call call("run");
  EXPECT_EQ(call.text(model, {}), "a");
}

async<void> call_in_many_runs(core::Model& model, core::Context context, int count, int* answered) {
  const core::ModelRequest request = Asked{};
  for (int i = 0; i < count; ++i) {
    context.run = std::to_string(i);
    const core::ModelReply reply = co_await model.complete(context, request);
    *answered += reply.text == "a" ? 1 : 0;
  }
}

TEST(Scripted, ManyRunsAreForgottenOldestFirst) {
  ScriptedModel model = scripted("- {reply: a}\n- {reply: b, repeat: true}\n");
  Call first("first");
  EXPECT_EQ(first.text(model, {}), "a");
  EXPECT_EQ(first.text(model, {}), "b");
  int answered = 0;
  run_sync([&] { return call_in_many_runs(model, first.context(), 65'536, &answered); });
  EXPECT_EQ(answered, 65'536);
  EXPECT_EQ(first.text(model, {}), "a");
}

TEST(Scripted, UsageIsTheScriptsOrAnEstimate) {
  Call call;
  ScriptedModel model = scripted(
      "- {reply: abcdefgh, usage: {input: 40, output: 12, cached: 8}}\n- {reply: abcdefgh}\n");
  const core::Usage told = call.reply(model, Asked{Role::Generate, 1, "12345678"}).usage;
  EXPECT_EQ(told, (core::Usage{.calls = 1, .input = {40}, .output = {12}, .cached = {8}}));
  const core::Usage guessed = call.reply(model, Asked{Role::Generate, 1, "12345678"}).usage;
  EXPECT_EQ(guessed, (core::Usage{.calls = 1, .input = {2}, .output = {2}, .estimated = true}));
}

TEST(Scripted, FailsInTheWayTheScriptSays) {
  struct Case {
    std::string error;
    ErrorKind kind;
    std::optional<std::chrono::milliseconds> retry_after;
  };
  using std::chrono::milliseconds;
  const Case cases[] = {
      {"timeout", ErrorKind::DeadlineExceeded, {}},
      {"refusal", ErrorKind::Refused, {}},
      {"disconnect", ErrorKind::Unavailable, {}},
      {"{status: 429, retry_after: 0.1}", ErrorKind::Overloaded, milliseconds(100)},
      {"{status: 429}", ErrorKind::Overloaded, {}},
      {"{status: 503, retry_after: 2s}", ErrorKind::Unavailable, milliseconds(2000)},
      {"{status: 500}", ErrorKind::Unavailable, {}},
      {"{status: 401}", ErrorKind::InvalidInput, {}},
      {"{status: 403}", ErrorKind::InvalidInput, {}},
      {"{status: 400}", ErrorKind::InvalidInput, {}},
      {"{status: 404}", ErrorKind::NotFound, {}},
  };
  for (const Case& c : cases) {
    Call call;
    ScriptedModel model = scripted("- {error: " + c.error + "}\n");
    const Error error = call.failure(model, {});
    EXPECT_EQ(error.kind(), c.kind) << c.error;
    EXPECT_EQ(error.retry_after(), c.retry_after) << c.error;
  }
}

TEST(Scripted, RepliesWithToolCallsToo) {
  Call call;
  ScriptedModel model =
      scripted("- {tool_calls: [{name: clock}, {name: sum, arguments: {of: [1, 2]}}]}\n");
  const core::ModelReply reply = call.reply(model, Asked{});
  const std::vector<core::ToolCall> expected{{"call_1", "clock", {"{}"}},
                                             {"call_2", "sum", {R"({"of":[1,2]})"}}};
  EXPECT_EQ(reply.tool_calls, expected);
  EXPECT_EQ(reply.text, "");
}

TEST(Scripted, LengthIsACutReply) {
  Call call;
  ScriptedModel model = scripted("- {error: length, reply: 'half a sen'}\n- {error: length}\n");
  const core::ModelReply cut = call.reply(model, Asked{});
  EXPECT_EQ(cut.text, "half a sen");
  EXPECT_EQ(cut.finish, core::Finish::Length);
  const core::ModelReply empty = call.reply(model, Asked{});
  EXPECT_EQ(empty.text, "");
  EXPECT_EQ(empty.finish, core::Finish::Length);
}

TEST(Scripted, DraftsAddUpToTheReply) {
  Call call;
  ScriptedModel model = scripted(
      "- {reply: 'Grüße an alle, ein längerer Satz'}\n- {reply: quiet}\n"
      "- {error: disconnect, reply: 'ääääää'}\n");
  core::ModelRequest request = Asked{Role::Generate, 3, "x"};
  request.drafts = true;
  EXPECT_EQ(call.reply(model, request).text, "Grüße an alle, ein längerer Satz");
  EXPECT_EQ(call.drafted(3), "Grüße an alle, ein längerer Satz");
  EXPECT_GE(call.drafts(), 2u);
  call.reply(model, Asked{});
  EXPECT_EQ(call.drafted(1), "");
  EXPECT_EQ(call.failure(model, request).kind(), ErrorKind::Unavailable);
  EXPECT_EQ(call.drafted(3), "Grüße an alle, ein längerer Satzäää");
}

TEST(Scripted, DelayPassesOnTheClockOfTheRunButNotItsDeadline) {
  Call call;
  ScriptedModel model = scripted("- {reply: a, delay: 10s, repeat: true}\n");
  const Instant before = call.clock().now();
  call.text(model, {});
  EXPECT_GE(call.clock().now() - before, std::chrono::seconds(10));
  core::Context context = call.context();
  const Instant start = call.clock().now();
  context.deadline = start + std::chrono::seconds(2);
  EXPECT_EQ(call.failure_in(context, model, Asked{}).kind(), ErrorKind::DeadlineExceeded);
  EXPECT_LT(call.clock().now() - start, std::chrono::seconds(3));
}

TEST(Scripted, RequestThatNoRuleFitsIsShown) {
  Call call;
  ScriptedModel model = scripted("- {role: evaluate, reply: a}\n");
  EXPECT_EQ(call.failure(model, Asked{Role::Generate, 1, "Write."}).message(),
            "no rule of s.yaml fits the request of role generate, attempt 1, whose last message "
            "is: Write.");
  EXPECT_EQ(call.text(model, {Role::Evaluate, 2, "x"}), "a");
  const Error error = call.failure(model, Asked{Role::Evaluate, 2, std::string(500, 'x')});
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error.message(),
            "no rule of s.yaml fits the request of role evaluate, attempt 2 (1 that would fit are "
            "used up), whose last message is: " +
                std::string(400, 'x') + "…");
  EXPECT_NE(error.hint().find("- {role: evaluate, attempt: 2"), std::string::npos);
}

}  // namespace
}  // namespace hone::model
