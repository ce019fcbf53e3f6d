// Answers under a JSON Schema, and the probabilities of short answers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "hone/base/json.h"
#include "hone/model/local_testing.h"
#include "hone/schema/schema.h"

namespace hone::model {
namespace {

core::ModelRequest under(const std::string& schema, std::uint64_t seed) {
  core::ModelRequest asked = request("Describe an order of three books as JSON.", 400);
  asked.schema = JsonText{schema};
  if (seed == 0) return asked;
  asked.sampling.temperature = 1.5;
  asked.sampling.top_p = 1.0;
  asked.sampling.seed = seed;
  return asked;
}

struct SchemaCase {
  const char* name;
  const char* schema;
};

const std::vector<SchemaCase> kSchemas = {
    {"verdict", R"({"type":"object","required":["passed","score","reason"],
       "additionalProperties":false,"properties":{"passed":{"type":"boolean"},
       "score":{"type":"number","minimum":0,"maximum":1},
       "reason":{"type":"string","maxLength":60}}})"},
    {"enum", R"({"enum":["small","large",3,null,{"a":[1]}]})"},
    {"const in an object", R"({"type":"object","required":["kind"],"additionalProperties":false,
       "properties":{"kind":{"const":"order"}}})"},
    {"integers", R"({"type":"array","minItems":2,"maxItems":4,
       "items":{"type":"integer","minimum":-5,"maximum":120}})"},
    {"nested arrays", R"({"type":"array","minItems":1,"maxItems":2,"items":{"type":"array",
       "minItems":1,"maxItems":2,"items":{"type":"array","maxItems":2,
       "items":{"type":"boolean"}}}})"},
    {"either", R"({"anyOf":[{"type":"null"},{"type":"object","required":["id"],
       "additionalProperties":false,"properties":{"id":{"type":"integer","minimum":1,
       "maximum":999}}}]})"},
    {"reference", R"({"$ref":"#/$defs/item","$defs":{"item":{"type":"object",
       "required":["title","tags"],"additionalProperties":false,"properties":{
       "title":{"type":"string","maxLength":20},
       "tags":{"type":"array","maxItems":2,"items":{"enum":["new","old"]}}}}}})"},
    {"pattern", R"({"type":"string","pattern":"^[A-Z]{3}-[0-9]{4}$"})"},
    {"text of any letters", R"({"type":"string","minLength":1,"maxLength":25})"}};

class LocalSchema : public Local, public testing::WithParamInterface<SchemaCase> {};

TEST_P(LocalSchema, ACompleteAnswerParsesAndFits) {
  const schema::Schema schema(GetParam().schema);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const core::ModelReply reply = ask(under(GetParam().schema, seed));
    ASSERT_EQ(reply.finish, core::Finish::Complete) << reply.text;
    EXPECT_NO_THROW(parse_json(reply.text)) << reply.text;
    EXPECT_TRUE(schema.check(reply.text).valid) << reply.text;
    EXPECT_EQ(model->last_note(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Schemas, LocalSchema, testing::ValuesIn(kSchemas), [](const auto& each) {
  std::string name;
  for (const char letter : std::string(each.param.name)) name += letter == ' ' ? '_' : letter;
  return name;
});

// What a schema does not bound may go on; white space may not.
TEST_F(Local, WhiteSpaceUnderASchemaIsBounded) {
  core::ModelRequest asked = under(R"({"type":"object","required":["a"],
      "additionalProperties":false,"properties":{"a":{"type":"array","maxItems":3,
      "items":{"type":"boolean"}}}})",
                                   0);
  asked.messages.back().text = "Write nothing but blanks and empty lines.";
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    asked.sampling.temperature = 2.0;
    asked.sampling.seed = seed;
    const core::ModelReply reply = ask(asked);
    EXPECT_EQ(reply.finish, core::Finish::Complete) << reply.text;
    EXPECT_EQ(reply.text.find("  \n"), std::string::npos);
    EXPECT_LT(reply.text.size(), 220U);
  }
}

TEST_F(Local, AnAnswerCutShortUnderASchemaSaysSo) {
  core::ModelRequest asked =
      under(R"({"type":"array","minItems":50,"items":{"type":"boolean"}})", 0);
  asked.sampling.max_tokens = Tokens{10};
  EXPECT_EQ(ask(asked).finish, core::Finish::Length);
}

TEST_F(Local, AKeywordThatCannotBeEnforcedIsNoted) {
  const core::ModelReply reply = ask(under(R"({"type":"array","minItems":1,"maxItems":2,
      "uniqueItems":true,"items":{"type":"boolean"}})",
                                           0));
  EXPECT_NE(model->last_note().find("uniqueItems"), std::string::npos) << model->last_note();
  EXPECT_TRUE(parse_json(reply.text).is_array());
}

TEST_F(Local, ASchemaThatCannotBeUsedIsNotedAndTheAnswerIsFree) {
  for (const char* schema : {R"({"type":"nonsense"})", R"({"$ref":"http://example.com/a"})", "7"}) {
    core::ModelRequest asked = under(schema, 0);
    asked.sampling.max_tokens = Tokens{12};
    const std::string text = ask(asked).text;
    EXPECT_NE(model->last_note().find("not enforced"), std::string::npos) << schema;
    asked.schema.reset();
    EXPECT_EQ(ask(asked).text, text);
    EXPECT_EQ(model->last_note(), "");
  }
}

// The goal is 0.0002 s; the bound leaves room for a busy machine.
TEST_F(Local, ASchemaTakesLittleTime) {
  const core::ModelReply reply = ask(under(kSchemas.front().schema, 0));
  const double each = model->last_times().schema / static_cast<double>(reply.usage.output.count);
  RecordProperty("microseconds_per_token", std::to_string(each * 1e6));
  EXPECT_GT(each, 0);
  EXPECT_LT(each, 0.005);
}

core::ModelRequest choosing(const std::string& text, std::vector<std::string> choices) {
  core::ModelRequest asked = request(text, 4);
  asked.choices = std::move(choices);
  return asked;
}

double sum(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

TEST_F(Local, TellsHowLikelyEachChoiceIs) {
  const auto yes = ask(choosing("Repeat this word: yes", {"yes", "no"})).probabilities;
  const auto no = ask(choosing("Repeat this word: no", {"yes", "no"})).probabilities;
  ASSERT_EQ(yes.size(), 2U);
  ASSERT_EQ(no.size(), 2U);
  EXPECT_NEAR(sum(yes), 1, 1e-9);
  EXPECT_NEAR(sum(no), 1, 1e-9);
  EXPECT_GT(yes[0], no[0]);
}

TEST_F(Local, AChoiceIsTheSameInAnyCase) {
  const auto lower = ask(choosing("Is the sky blue?", {"yes", "no"})).probabilities;
  const auto upper = ask(choosing("Is the sky blue?", {"YES", "NO"})).probabilities;
  ASSERT_EQ(lower.size(), 2U);
  ASSERT_EQ(upper.size(), 2U);
  EXPECT_NEAR(lower[0], upper[0], 1e-6);
}

TEST_F(Local, ChoicesThatBeginAlikeAreToldApart) {
  const auto parts =
      ask(choosing("Repeat this number: 100", {"1", "10", "100", "7"})).probabilities;
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_NEAR(sum(parts), 1, 1e-9);
  for (const double part : parts) EXPECT_GT(part, 0);
  EXPECT_GT(parts[2], parts[3]);
}

TEST_F(Local, ChoicesChangeNeitherTheAnswerNorWhatIsRead) {
  const core::ModelRequest asked = choosing("Count to five: 1", {"1", "10", "12"});
  core::ModelRequest plain = asked;
  plain.choices.clear();
  const core::ModelReply without = ask(plain);
  EXPECT_TRUE(without.probabilities.empty());
  const core::ModelReply with = ask(asked);
  EXPECT_EQ(with.text, without.text);
  EXPECT_EQ(with.usage.cached, with.usage.input);
}

}  // namespace
}  // namespace hone::model
