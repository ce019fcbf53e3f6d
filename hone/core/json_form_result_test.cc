#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/core/arbitrary_words.h"
#include "hone/core/json_form.h"

namespace hone::core {
namespace {

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

TEST(Result, OfACheckThatAskedAModelSaysWhoJudgedByWhat) {
  Evaluation evaluation = passed();
  evaluation.checks = {
      {"schema", Outcome::Passed, Score(1)},
      {"judge", Outcome::Passed, Score(1), JudgeIdentity{"local", "0123456789ab"}}};
  const Json checks = to_json(evaluation).at("checks");
  EXPECT_FALSE(checks[0].contains("judge"));
  EXPECT_EQ(dump(checks[1]), R"({"name":"judge","outcome":"passed","score":1.0,)"
                             R"("judge":{"model":"local","rubric":"0123456789ab"}})");
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
