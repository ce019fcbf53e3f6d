#include "hone/core/json_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace hone::core {
namespace {

using rc::gen::arbitrary;

// Plain, empty, multi-line and non-UTF-8 text.
std::string any_text() {
  return *rc::gen::oneOf(arbitrary<std::string>(), rc::gen::just(std::string("größer\n\"\\\x01")),
                         rc::gen::just(std::string("\xff\xfe")), rc::gen::just(std::string()));
}

int any_int() { return *rc::gen::inRange(-3, 2000000000); }
Score any_score() { return Score(*rc::gen::inRange(0, 1000001) / 1e6); }
bool any_bool() { return *arbitrary<bool>(); }

template <class Make>
auto maybe(Make make) {
  return any_bool() ? std::optional(make()) : std::nullopt;
}

template <class Make>
auto some(Make make) {
  std::vector<decltype(make())> items(static_cast<std::size_t>(*rc::gen::inRange(0, 4)),
                                      decltype(make())(make()));
  for (auto& item : items) item = make();
  return items;
}

template <class Enum>
Enum any_of(int count) {
  return static_cast<Enum>(*rc::gen::inRange(0, count));
}

Usage any_usage() {
  Usage usage;
  usage.calls = any_int();
  usage.input.count = any_int();
  usage.output.count = any_int();
  usage.cached.count = any_int();
  usage.usd = maybe([] { return Usd{any_int() / 1e7}; });
  usage.estimated = any_bool();
  usage.reasoning.count = any_int();
  usage.cache_written.count = any_int();
  return usage;
}

UsageByRole any_usage_by_role() {
  UsageByRole usage;
  usage[any_of<Role>(kRoles)] = any_usage();
  usage[Role::Embed] = any_usage();
  return usage;
}

Instant any_instant() { return Instant(Duration(*arbitrary<std::int64_t>())); }
Lesson any_lesson() { return {any_text(), any_text()}; }

Reflection any_reflection() {
  return {any_text(), any_text(), any_text(), any_text(),
          any_text(), any_text(), any_text(), any_text()};
}

CheckResult any_check() { return {any_text(), any_of<Outcome>(3), maybe(any_score)}; }

Issue any_issue() {
  return {any_text(), maybe(any_int), any_text(), any_text(), any_of<Severity>(2), any_text()};
}

Evaluation any_evaluation() {
  Evaluation evaluation;
  evaluation.outcome = any_of<Outcome>(3);
  evaluation.score = maybe(any_score);
  evaluation.interval = maybe([] { return Interval{any_int() / 3.0, any_int() / 7.0}; });
  evaluation.samples = any_int();
  evaluation.confidence = maybe([] { return any_int() / 9.0; });
  evaluation.checks = some(any_check);
  evaluation.criteria = some([] { return std::pair(any_text(), any_score()); });
  evaluation.issues = some(any_issue);
  evaluation.suggestions = some(any_text);
  evaluation.error = maybe(any_text);
  evaluation.value = maybe([] { return JsonText{"{\"a\":[1,2.50]}"}; });
  evaluation.usage = any_usage();
  return evaluation;
}

Attempt any_attempt(int number) {
  Attempt attempt;
  attempt.number = number;
  attempt.output = {any_text(), any_of<Finish>(3), any_text(), any_text()};
  attempt.evaluation = any_evaluation();
  attempt.reflection = maybe(any_reflection);
  attempt.duplicate_of = maybe(any_int);
  attempt.parent = maybe(any_int);
  attempt.changes = {some(any_text), some(any_text), some(any_text), some(any_text)};
  attempt.usage = any_usage_by_role();
  attempt.started = any_instant();
  return attempt;
}

Task any_task() {
  const auto input = [] { return JsonText{"{\"b\":1,\"a\":null}"}; };
  return {any_text(), any_text(), any_text(), any_text(), maybe(input)};
}

std::vector<Event> any_events() {
  std::vector<Event> events{RunStarted{any_task()}, LessonsRecalled{some(any_lesson)}};
  const int attempts = *rc::gen::inRange(1, 4);
  for (int number = 1; number <= attempts; ++number) {
    events.emplace_back(AttemptStarted{number});
    events.emplace_back(Draft{number, any_text()});
    events.emplace_back(Evaluated{any_attempt(number)});
    events.emplace_back(Retracted{number, any_text()});
    events.emplace_back(Reflected{number, any_reflection(), any_usage_by_role()});
  }
  events.emplace_back(Reevaluated{attempts, any_evaluation(), any_usage_by_role()});
  events.emplace_back(BudgetWarning{any_text()});
  events.emplace_back(LessonLearned{any_lesson()});
  events.emplace_back(
      Stopped{{any_of<StopReason>(14), any_text(), any_text(), any_text()}, maybe(any_int)});
  events.emplace_back(Committed{1, any_text()});
  events.emplace_back(RunFinished{any_usage_by_role()});
  return events;
}

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

Run sample_run() {
  Run run;
  run.id = "01run";
  run.task.name = "memo";
  run.started = Instant(std::chrono::seconds(100));
  run.finished = run.started + std::chrono::milliseconds(2500);
  run.recalled = {{"l1", "Be exact."}};
  Attempt first;
  first.number = 1;
  first.output.text = "{}";
  first.output.model = "m-1";
  first.evaluation = failed(Score(0.5), {{"/items/0/name", std::nullopt, "items/0/name is required",
                                          "required", Severity::Error, "schema"}});
  first.evaluation.checks = {{"schema", Outcome::Failed, Score(0.5)}};
  first.evaluation.criteria = {{"clarity", Score(0.5)}};
  first.evaluation.suggestions = {"Add a name."};
  first.reflection = Reflection{"t", "a", "b", "c", "d", "e", "principle", "procedure"};
  first.usage[Role::Generate] = {1, {10}, {5}, {2}, Usd{0.25}, true};
  first.started = run.started;
  first.finished = run.started + std::chrono::seconds(1);
  Attempt second;
  second.number = 2;
  second.output = {R"({"n": "1"})", Finish::Complete, "m-2", "regenerate"};
  second.evaluation = passed();
  second.evaluation.value = JsonText{R"({"n":1})"};
  second.parent = 1;
  second.changes.resolved = {"schema: /items/0/name required"};
  second.started = second.finished = run.finished;
  run.attempts = {first, second};
  run.usage[Role::Generate] = {1, {10}, {5}, {2}, Usd{0.25}, true};
  run.stop = Stop{StopReason::Passed, "attempt 2 passed", "", ""};
  run.selected = 2;
  return run;
}

constexpr std::string_view kResult =
    R"({"format":1,"run":"01run","task":"memo","model":{"generate":"openai:m","revise":"m-2"},)"
    R"("success":true,"stop":{"reason":"passed","detail":"attempt 2 passed"},)"
    R"("selected":2,"output":{"n":1},"evaluation":{"outcome":"passed","score":1.0,)"
    R"("interval":[1.0,1.0],"samples":1,"confidence":null,"checks":[],"criteria":{},)"
    R"("issues":[],"suggestions":[],"error":null},"attempts":[)"
    R"({"number":1,"output":"{}","finish":"complete","duplicate_of":null,)"
    R"("evaluation":{"outcome":"failed","score":0.5,"interval":[0.5,0.5],"samples":1,)"
    R"("confidence":null,"checks":[{"name":"schema","outcome":"failed","score":0.5}],)"
    R"("criteria":{"clarity":0.5},"issues":[{"path":"/items/0/name","dotted":"items.0.name",)"
    R"("message":"items/0/name is required","kind":"required","severity":"error",)"
    R"("check":"schema"}],"suggestions":["Add a name."],"error":null},)"
    R"("reflection":{"text":"t","what_happened":"a","what_went_wrong":"b","why":"c",)"
    R"("do_differently":"d","rule":"e"},)"
    R"("changes":{"resolved":[],"carried":[],"new":[],"resurfaced":[]},)"
    R"("usage":{"input_tokens":10,"output_tokens":5,"cached_tokens":2,"usd":0.25,)"
    R"("estimated":true},"seconds":1.0},)"
    R"({"number":2,"output":{"n":1},"finish":"complete","duplicate_of":null,)"
    R"("evaluation":{"outcome":"passed","score":1.0,"interval":[1.0,1.0],"samples":1,)"
    R"("confidence":null,"checks":[],"criteria":{},"issues":[],"suggestions":[],"error":null},)"
    R"("reflection":null,"changes":{"resolved":["schema: /items/0/name required"],)"
    R"("carried":[],"new":[],"resurfaced":[]},"usage":{"input_tokens":0,"output_tokens":0,)"
    R"("cached_tokens":0,"usd":null,"estimated":false},"seconds":0.0}],)"
    R"("lessons":{"recalled":[{"id":"l1","text":"Be exact."}],"learned":[]},)"
    R"("usage":{"generate":{"calls":1,"input_tokens":10,"output_tokens":5,"cached_tokens":2,)"
    R"("usd":0.25},"evaluate":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0,)"
    R"("usd":null},"reflect":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0,)"
    R"("usd":null},"revise":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0,)"
    R"("usd":null},"total":{"calls":1,"input_tokens":10,"output_tokens":5,"cached_tokens":2,)"
    R"("usd":0.25}},"seconds":2.5})";

TEST(Result, OfARunHasTheKeysOfTheContractInTheirOrder) {
  EXPECT_EQ(dump(to_json(sample_run(), {{Role::Generate, "openai:m"}})), kResult);
}

TEST(Result, OfARunWithoutAttemptsSaysNull) {
  core::Run run;
  run.stop = Stop{StopReason::Error, "nothing answered", "unavailable", ""};
  const Json json = to_json(run, {});
  for (const char* key : {"selected", "output", "evaluation"}) EXPECT_TRUE(json.at(key).is_null());
  EXPECT_EQ(json.at("attempts"), Json::array());
  EXPECT_EQ(json.at("success"), false);
  run.stop.reset();
  EXPECT_TRUE(to_json(run, {}).at("stop").is_null());
}

TEST(Result, OfAnUnknownEvaluationHasNoScoreAndSaysWhy) {
  EXPECT_EQ(
      dump(to_json(unknown("the judge refused"))),
      R"({"outcome":"unknown","score":null,"interval":null,"samples":0,"confidence":null,)"
      R"("checks":[],"criteria":{},"issues":[],"suggestions":[],"error":"the judge refused"})");
}

TEST(Result, KeepsUserOutputApartFromTheEnginesKeys) {
  core::Run run = sample_run();
  run.attempts[1].evaluation.value = JsonText{R"({"success":false,"format":9})"};
  const Json json = to_json(run, {});
  EXPECT_EQ(json.at("success"), true);
  EXPECT_EQ(json.at("format"), 1);
  EXPECT_EQ(json.at("output").at("format"), 9);
}

TEST(Result, OfAFailureIsAnErrorObject) {
  EXPECT_EQ(dump(to_json(Error(ErrorKind::NotFound, "there is no run x", "see `hone list`"))),
            R"({"format":1,"error":{"kind":"not_found","message":"there is no run x",)"
            R"("hint":"see `hone list`"}})");
}

TEST(Stream, ShowsAnEvaluatedAttemptLikeTheResultDoes) {
  const core::Run run = sample_run();
  const Instant at = run.started + std::chrono::seconds(1);
  const Json json = stream_json(Evaluated{run.attempts[0]}, run.id, at, 7);
  EXPECT_EQ(json.begin().key(), "event");
  EXPECT_EQ(json.at("event"), "evaluated");
  EXPECT_EQ(json.at("run"), "01run");
  EXPECT_EQ(json.at("at"), "1970-01-01T00:01:41.000000Z");
  EXPECT_EQ(json.at("sequence"), 7);
  EXPECT_EQ(json.at("attempt"), 1);
  EXPECT_EQ(json.at("seconds"), 1.0);
  EXPECT_EQ(json.at("evaluation"), to_json(run.attempts[0].evaluation));
}

RC_GTEST_PROP(Stream, CarriesItsFourKeysOnEveryEvent, ()) {
  for (const Event& event : any_events()) {
    const Json json = stream_json(event, "r", Instant(), 3);
    RC_ASSERT(json.at("event") == Json(name_of(event)));
    RC_ASSERT(json.contains("run") && json.contains("at") && json.contains("sequence"));
    RC_ASSERT(try_parse_json(dump(json)).has_value());
  }
}

}  // namespace
}  // namespace hone::core
