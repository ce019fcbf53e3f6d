#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/schema/schema.h"

namespace hone::schema {
namespace {

struct Case {
  std::string_view name, schema, input, output;
};
constexpr Case kCases[] = {
    {"text to integer", R"({"type":"integer"})", R"("5")", "5"},
    {"negative text to integer", R"({"type":"integer"})", R"("-17")", "-17"},
    {"text of a whole number to integer", R"({"type":"integer"})", R"("5.0")", "5"},
    {"the largest integer", R"({"type":"integer"})", R"("18446744073709551615")",
     "18446744073709551615"},
    {"text to number", R"({"type":"number"})", R"("5.5")", "5.5"},
    {"an exponent to number", R"({"type":"number"})", R"("1e3")", "1e3"},
    {"17 digits that a double keeps", R"({"type":"number"})", R"("3.141592653589793")",
     "3.141592653589793"},
    {"true to boolean", R"({"type":"boolean"})", R"("true")", "true"},
    {"false to boolean", R"({"type":"boolean"})", R"("false")", "false"},
    {"a number to string as it was written", R"({"type":"string"})", "1.50", R"("1.50")"},
    {"a boolean to string", R"({"type":"string"})", "true", R"("true")"},
    {"text to object", R"({"type":"object"})", R"("{\"a\":1}")", R"({"a":1})"},
    {"text to array", R"({"type":"array"})", R"("[1, 2]")", "[1, 2]"},
    {"text to object, and its values", R"({"type":"object","properties":{"a":{"type":"integer"}}})",
     R"("{\"a\":\"1\"}")", R"({"a":1})"},
    {"an escaped name", R"({"properties":{"a\"b":{"type":"integer"}}})", R"({"a\"b":"1"})",
     R"({"a\"b":1})"},
    {"blanks and other values stay as they are", R"({"properties":{"a":{"type":"integer"}}})",
     "{ \"a\" :\t\"1\" ,\n \"b\":[1.0, \"\\u00e4\" ] }",
     "{ \"a\" :\t1 ,\n \"b\":[1.0, \"\\u00e4\" ] }"},
    {"properties, items, additionalProperties",
     R"({"properties":{"l":{"items":{"type":"integer"}}},"additionalProperties":{"type":"boolean"}})",
     R"({"l":["1",2,"3"],"x":"true"})", R"({"l":[1,2,3],"x":true})"},
    {"prefixItems, then items", R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})",
     R"([1,"2"])", R"(["1",2])"},
    {"items by position",
     R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"}],
         "additionalItems":{"type":"string"}})",
     R"(["1",2])", R"([1,"2"])"},
    {"a reference", R"({"$defs":{"n":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/n"}}})",
     R"({"a":"1"})", R"({"a":1})"},
    {"a reference to the whole", R"({"properties":{"n":{"type":"integer"},"c":{"$ref":"#"}}})",
     R"({"c":{"c":{"n":"1"}}})", R"({"c":{"c":{"n":1}}})"},
    {"allOf with one branch", R"({"allOf":[{"properties":{"a":{"type":"integer"}}}]})",
     R"({"a":"1"})", R"({"a":1})"},
    {"a choice of types of which one fits", R"({"type":["integer","null"]})", R"("5")", "5"},
    {"a choice of schemas of which one fits", R"({"anyOf":[{"type":"integer"},{"type":"null"}]})",
     R"("5")", "5"},
    {"the only branch for objects",
     R"({"anyOf":[{"type":"null"},{"type":"object","properties":{"a":{"type":"integer"}}}]})",
     R"({"a":"1"})", R"({"a":1})"},
    {"5.0 in draft 4", R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"})",
     "5.0", "5"},
    {"one edit helps, the other would harm",
     R"({"required":["a","b"],"properties":{"a":{"type":"integer"},
         "b":{"type":"integer","minimum":9,"multipleOf":7,"exclusiveMaximum":0}}})",
     R"({"a":"1","b":"5"})", R"({"a":1,"b":"5"})"},
};

TEST(Coerce, GivesValuesTheTypeThatIsDemanded) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const Coerced coerced = Schema(one.schema).coerce(one.input);
    EXPECT_EQ(coerced.text, one.output);
    EXPECT_FALSE(coerced.edits.empty());
    EXPECT_EQ(coerced.result, Schema(one.schema).check(one.output));
  }
}

struct Kept {
  std::string_view schema, input;
};
constexpr Kept kKept[] = {
    {R"({"type":"integer"})", R"(" 5 ")"},
    {R"({"type":"integer"})", R"("+7")"},
    {R"({"type":"integer"})", R"("1_000")"},
    {R"({"type":"integer"})", R"("0x10")"},
    {R"({"type":"integer"})", R"("007")"},
    {R"({"type":"integer"})", R"("-0")"},
    {R"({"type":"integer"})", R"("1e3")"},
    {R"({"type":"integer"})", R"("5.5")"},
    {R"({"type":"integer"})", R"("5.")"},
    {R"({"type":"integer"})", R"("")"},
    {R"({"type":"integer"})", R"("-")"},
    {R"({"type":"integer"})", R"("٣")"},
    {R"({"type":"integer"})", R"("18446744073709551616")"},
    {R"({"type":"integer"})", "5.5"},
    {R"({"type":"integer"})", "5.0"},
    {R"({"type":"integer"})", "true"},
    {R"({"type":"number"})", R"("nan")"},
    {R"({"type":"number"})", R"("inf")"},
    {R"({"type":"number"})", R"("1e999")"},
    {R"({"type":"number"})", R"(".5")"},
    {R"({"type":"number"})", R"("1,5")"},
    {R"({"type":"number"})", R"("0.12345678901234567890123")"},
    {R"({"type":"number"})", "null"},
    {R"({"type":"boolean"})", R"("True")"},
    {R"({"type":"boolean"})", R"("yes")"},
    {R"({"type":"boolean"})", R"("maybe")"},
    {R"({"type":"boolean"})", "1"},
    {R"({"type":"boolean"})", R"("1")"},
    {R"({"type":"string"})", "null"},
    {R"({"type":"string"})", R"({"a":1})"},
    {R"({"type":"string"})", "[1]"},
    {R"({"type":"null"})", R"("null")"},
    {R"({"type":"object"})", R"("{a:1}")"},
    {R"({"type":"object"})", R"("[1]")"},
    {R"({"type":"object"})", R"("{\"a\":1,\"a\":2}")"},
    {R"({"type":"array"})", R"("1,2")"},
    {R"({"type":["integer","boolean","string"]})", "null"},
    {R"({"type":["integer","string"],"maxLength":0})", R"("5")"},
    {R"({"type":["string","object"],"minProperties":9})", "{}"},
    {R"({"anyOf":[{"type":"string"},{"type":"integer"}],"maxLength":0})", R"("5")"},
    {R"({"allOf":[{"properties":{"a":{"type":"integer"}}},{"required":["b"]}]})", R"({"a":"1"})"},
    {R"({"patternProperties":{"^a":{}},"additionalProperties":{"type":"integer"},"required":["c"]})",
     R"({"a":"1"})"},
    {R"({"enum":[5]})", R"("5")"},
};

TEST(Coerce, LeavesAloneWhatWouldLoseSomething) {
  for (const Kept& kept : kKept) {
    SCOPED_TRACE(std::string(kept.schema) + " " + std::string(kept.input));
    const Coerced coerced = Schema(kept.schema).coerce(kept.input);
    EXPECT_EQ(coerced.text, kept.input);
    EXPECT_TRUE(coerced.edits.empty());
  }
}

TEST(Coerce, ListsItsEdits) {
  const Schema schema(
      R"({"properties":{"a/b":{"type":"integer"},"t":{"items":{"type":"string"}}}})");
  const Coerced coerced = schema.coerce(R"({"t":["x",2],"a/b":"5"})");
  EXPECT_EQ(coerced.edits, (std::vector<Edit>{{"/t/1", "2", R"("2")"}, {"/a~1b", R"("5")", "5"}}));
}

TEST(Coerce, EndsForSchemasThatContainThemselves) {
  const Schema choices(R"({"type":"integer","anyOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"},
      {"$ref":"#"},{"properties":{"a":{"$ref":"#"}},"items":{"$ref":"#"}}]})");
  EXPECT_EQ(choices.coerce(R"({"a":{"a":["5"]}})").text, R"({"a":{"a":["5"]}})");
  const Schema circle(
      R"({"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a",
      "definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}})");
  EXPECT_EQ(circle.coerce(R"("5")").text, R"("5")");
}

TEST(Coerce, RefusesWhatIsNotJson) { EXPECT_THROW(Schema("true").coerce("{"), Error); }

// Schemas and documents that often almost fit each other.
Json leaf_schema() {
  static const std::vector<std::string> kLeaves{
      R"({"type":"integer"})",
      R"({"type":"number","minimum":2,"multipleOf":0.5})",
      R"({"type":"boolean"})",
      R"({"type":"string","maxLength":2})",
      R"({"type":["integer","null"]})",
      R"({"type":["boolean","integer"]})",
      R"({"anyOf":[{"type":"integer"},{"type":"null"}]})",
      R"({"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}})",
      R"({"type":"array","items":{"type":"integer"},"uniqueItems":true})",
      R"({"enum":[5,"5"]})",
      R"({})"};
  return parse_json(*rc::gen::elementOf(kLeaves));
}

Json some_schema() {
  Json schema = {{"type", "object"}, {"required", {"a", "b"}}};
  for (const char* name : {"a", "b", "c"}) schema["properties"][name] = leaf_schema();
  schema["additionalProperties"] = leaf_schema();
  return schema;
}

std::string some_value() {
  static const std::vector<std::string> kValues{"5",
                                                "5.0",
                                                "2.5",
                                                "-7",
                                                "true",
                                                "null",
                                                R"("5")",
                                                R"("x")",
                                                R"("2.5")",
                                                R"("true")",
                                                R"("{\"a\":\"1\"}")",
                                                R"({"a":"1"})",
                                                "[1,\"1\"]",
                                                R"("[\"3\"]")",
                                                R"([])",
                                                R"("123")"};
  return *rc::gen::elementOf(kValues);
}

std::string some_document() {
  std::string text = "{";
  for (const char* name : {"a", "b", "c", "d"}) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    if (text.size() > 1) text += ", ";
    text += '"' + std::string(name) + "\": " + some_value();
  }
  return text + "}";
}

RC_GTEST_PROP(Coerce, NeverHarmsAndChangesNothingTheSecondTime, ()) {
  const Schema schema(dump(some_schema()));
  const std::string text = some_document();
  const Result before = schema.check(text);
  const Coerced once = schema.coerce(text);
  RC_ASSERT(schema.check(once.text).share >= before.share);
  RC_ASSERT(once.edits.empty() == (once.text == text));
  if (before.valid) RC_ASSERT(once.text == text);
  const Coerced twice = schema.coerce(once.text);
  RC_ASSERT(twice.text == once.text);
  RC_ASSERT(twice.edits.empty());
}

RC_GTEST_PROP(Coerce, ChangesOnlyPlacesWhoseTypeIsWrong, ()) {
  const Schema schema(dump(some_schema()));
  const std::string text = some_document();
  for (const Edit& edit : schema.coerce(text).edits) {
    const auto names_it = [&](const Violation& violation) {
      const bool choice = violation.keyword == "type" || violation.keyword == "anyOf";
      return choice && edit.pointer.starts_with(violation.instance);
    };
    const std::vector<Violation> violations = schema.check(text).violations;
    RC_ASSERT(std::ranges::any_of(violations, names_it));
  }
}

}  // namespace
}  // namespace hone::schema
