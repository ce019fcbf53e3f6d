#include "hone/schema/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hone/base/error.h"

namespace hone::schema {
namespace {

constexpr std::string_view kArticle = R"({
  "type": "object",
  "properties": {
    "title": {"type": "string", "minLength": 3},
    "summary": {"type": "string"},
    "score": {"type": "number", "minimum": 0, "maximum": 1},
    "tags": {"type": "array", "items": {"type": "string"}},
    "kind": {"enum": ["news", "essay"]}
  },
  "required": ["title", "summary", "score"],
  "additionalProperties": false
})";

std::optional<Error> error_of(std::string_view schema, std::string_view instance = "1") {
  try {
    Schema(schema).check(instance);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

std::string only_message(std::string_view schema, std::string_view instance) {
  const Result result = Schema(schema).check(instance);
  return result.violations.size() == 1 ? result.violations[0].message : "not one violation";
}

TEST(Schema, AcceptsAValidDocument) {
  const Result result =
      Schema(kArticle).check(R"({"title":"Ice","summary":"","score":1,"tags":[]})");
  EXPECT_TRUE(result.valid);
  EXPECT_EQ(result.share, 1);
  EXPECT_TRUE(result.violations.empty());
}

TEST(Schema, ReportsEveryViolationWithItsPlaces) {
  const Result result =
      Schema(kArticle).check(R"({"title":"Ic","tags":["a",5],"more":1,"score":2})");
  const std::vector<Violation> expected{
      {"/title", "/properties/title/minLength", "minLength",
       "`title` must have at least 3 characters, but has 2"},
      {"/tags/1", "/properties/tags/items/type", "type",
       "`tags.1` must be a string, but is the number 5"},
      {"/more", "/additionalProperties", "additionalProperties",
       "`more` is not an allowed property"},
      {"/score", "/properties/score/maximum", "maximum",
       "`score` must be at most 1, but is the number 2"},
      {"/summary", "/required", "required", "`summary` is required"},
  };
  EXPECT_FALSE(result.valid);
  EXPECT_EQ(result.violations, expected);
}

struct Said {
  std::string_view schema, instance, message;
};
constexpr Said kSaid[] = {
    {R"({"type":["integer","null"]})", R"("five")",
     R"(the document must be null or an integer, but is the string "five")"},
    {R"({"properties":{"a":{"enum":["x",1]}}})", R"({"a":[1,2]})",
     R"(`a` must be "x" or 1, but is an array of 2 items)"},
    {R"({"properties":{"a":{"properties":{"b":{"pattern":"^x"}}}}})", R"({"a":{"b":"yx"}})",
     R"(`a.b` must match the pattern `^x`, but is the string "yx")"},
    {R"({"format":"date"})", R"("soon")",
     R"(the document must be a valid date, but is the string "soon")"},
    {R"({"minItems":2})", "[1]", "the document must have at least 2 items, but has 1"},
    {R"({"uniqueItems":true})", "[3,1,3]",
     "the document must not repeat an item, but items 0 and 2 are both 3"},
    {R"({"properties":{"a":{"anyOf":[{"type":"array"},{"type":"object","required":["b","c"]}]}}})",
     R"({"a":{"b":1}})",
     "`a` fits none of the 2 forms of anyOf; form 2 is nearest: `a.c` is required"},
    {R"({"properties":{"a":{"oneOf":[{"minimum":1},{"minimum":2}]}}})", R"({"a":3})",
     "`a` fits more than one form of oneOf, but only one may fit"},
    {R"({"propertyNames":{"maxLength":2}})", R"({"abc":1})",
     "`abc` is not an allowed property: its name must have at most 2 characters, but has 3"},
    {R"({"properties":{"a":false}})", R"({"a":1})", "`a` must not be there"},
    {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})",
     "`b` is required by another property that is there"},
};

TEST(Schema, SpeaksToPeople) {
  for (const Said& said : kSaid) {
    EXPECT_EQ(only_message(said.schema, said.instance), said.message);
  }
}

TEST(Schema, CutsLongValuesInMessages) {
  const std::string message =
      only_message(R"({"type":"integer"})", '"' + std::string(10'000, 'x') + '"');
  EXPECT_LT(message.size(), 200U);
  EXPECT_NE(message.find("…"), std::string::npos);
}

struct Graded {
  std::string_view name, instance;
  double held, violations;
};
// type, 3 required, additionalProperties; then title 2, summary 1, score 3, tags 1, kind 1.
constexpr Graded kGraded[] = {
    {"another kind of document satisfies nothing", "[]", 0, 1},
    {"nothing but the braces", "{}", 2, 3},
    {"one of three", R"({"title":"Ice"})", 5, 2},
    {"two of three", R"({"title":"Ice","summary":""})", 7, 1},
    {"a short title fails once", R"({"title":"I","summary":"","score":1})", 10, 1},
    {"a title of another type fails once", R"({"title":1,"summary":"","score":1})", 9, 1},
    {"each surplus property counts", R"({"title":"Ice","summary":"","score":1,"x":1,"y":2})", 10,
     2},
    {"each item counts", R"({"title":"Ice","summary":"","score":1,"tags":["a",1,"b"]})", 14, 1},
};

TEST(Share, IsThePartOfTheAssertionsThatHold) {
  const Schema schema(kArticle);
  for (const Graded& graded : kGraded) {
    SCOPED_TRACE(graded.name);
    const Result result = schema.check(graded.instance);
    EXPECT_EQ(static_cast<double>(result.violations.size()), graded.violations);
    EXPECT_DOUBLE_EQ(result.share, graded.held / (graded.held + graded.violations));
  }
}

TEST(Share, DoesNotCountApplicatorsOrTheInsideOfChoices) {
  // allOf, $ref, properties and items lead to the same two assertions.
  const Schema nested(R"({"allOf":[{"$ref":"#/$defs/o"}],
    "$defs":{"o":{"properties":{"a":{"items":{"type":"integer","minimum":1}}}}}})");
  EXPECT_DOUBLE_EQ(nested.check(R"({"a":[0]})").share, 0.5);
  const Schema choice(R"({"type":"object",
    "anyOf":[{"required":["a","b","c"]},{"required":["d"],"maxProperties":9}]})");
  EXPECT_DOUBLE_EQ(choice.check(R"({"x":1})").share, 0.5);
}

TEST(Share, CountsBelowAnIdentifierToo) {
  const Schema schema(R"({"$id":"https://example.test/s","type":"object","required":["a","b"]})");
  EXPECT_DOUBLE_EQ(schema.check(R"({"a":1})").share, 2.0 / 3);
}

TEST(Schema, NamesPropertiesLikeKeywordsWithoutConfusion) {
  const Schema schema(R"({"properties":{"type":{"type":"string"},"properties":
    {"properties":{"required":{"type":"integer"}}}},"required":["type"]})");
  const Result result = schema.check(R"({"type":"x","properties":{"required":"no"}})");
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].instance, "/properties/required");
  EXPECT_DOUBLE_EQ(result.share, 2.0 / 3);
}

struct Bad {
  std::string_view name, schema, message;
};
constexpr Bad kBad[] = {
    {"a type that is a number", R"({"type":5})", "the schema at /type: 5 is not a type; use array"},
    {"a misspelt type further in", R"({"properties":{"a":{"type":"strng"}}})",
     R"(the schema at /properties/a/type: "strng" is not a type)"},
    {"a limit that is text", R"({"minimum":"x"})", "/minimum: `minimum` must be a number"},
    {"a pattern that is none", R"({"pattern":"("})", "/pattern"},
    {"a number", "5", "a schema is an object or a boolean, not the number 5"},
    {"a reference to a file", R"({"$ref":"other.json#/a"})",
     "the reference to other.json leads to another document, which is not here"},
    {"a reference to the network", R"({"$ref":"https://example.test/s.json#/a"})",
     "the schema refers to https://example.test/s.json, and schemas are never fetched"},
    {"a reference to nowhere", R"({"$ref":"#/$defs/no"})", "/$defs/no leads nowhere"},
    {"a draft that nobody knows", R"({"$schema":"https://example.test/d"})",
     "no draft that is known"},
    {"no JSON", "{", "line 1"},
    {"a key that stands twice", R"({"type":"object","type":"array"})", "stands twice"},
};

TEST(Schema, RefusesWhatIsNoSchemaAndSaysWhere) {
  for (const Bad& bad : kBad) {
    SCOPED_TRACE(bad.name);
    const auto error = error_of(bad.schema);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::InvalidInput);
    EXPECT_NE(error->message().find(bad.message), std::string::npos) << error->message();
  }
}

TEST(Schema, RefusesInstancesThatAreNotJson) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("1 2"),
                                  std::string("\"\xff\""), std::string(300, '[')}) {
    const auto error = error_of("true", text);
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->kind(), ErrorKind::InvalidInput);
  }
}

TEST(Schema, ChecksDeepDocumentsAgainstRecursiveSchemas) {
  const Schema schema(R"({"items":{"$ref":"#"},"type":"array"})");
  const std::string deep = std::string(190, '[') + "1" + std::string(190, ']');
  const Result result = schema.check(deep);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].keyword, "type");
}

TEST(Schema, StopsPatternsThatBacktrackForever) {
  const Schema schema(R"({"pattern":"^(?=a)(a|a?)+\\1z$"})");
  const Result result = schema.check('"' + std::string(60, 'a') + "!\"");
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].keyword, "pattern");
}

TEST(Schema, LeavesFormatToTheDraftWhenAsked) {
  constexpr std::string_view kNew = R"({"format":"date"})";
  EXPECT_FALSE(Schema(kNew).check("\"soon\"").valid);
  EXPECT_TRUE(Schema(kNew, {.formats = Formats::AsDraft}).check("\"soon\"").valid);
}

TEST(Schema, MayBeUsedByManyThreadsAtOnce) {
  const Schema schema(kArticle);
  const Result expected = schema.check(R"({"title":"I","x":1})");
  std::vector<Result> results(4);
  std::vector<std::jthread> threads;
  for (Result& result : results) {
    threads.emplace_back([&schema, &result] {
      for (int i = 0; i < 200; ++i) result = schema.check(R"({"title":"I","x":1})");
    });
  }
  threads.clear();
  for (const Result& result : results) EXPECT_EQ(result.violations, expected.violations);
}

}  // namespace
}  // namespace hone::schema
