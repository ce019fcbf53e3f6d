#include "hone/base/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"

namespace hone {
namespace {

struct Bad {
  std::string_view name, text, reason;
};
constexpr Bad kBad[] = {
    {"an empty text", "", "line 1, column 1"},
    {"a duplicate key", R"({"a":1,"a":2})", "stands twice"},
    {"a duplicate key further in", R"([{"b":{"a":1,"c":2,"a":3}}])", "stands twice"},
    {"a number beyond a double", "[1e400]", "1e400"},
    {"text behind the value", "{} x", "line 1"},
    {"a lone surrogate", R"(["\ud800"])", "surrogate"},
    {"bytes that are no UTF-8", "[\"\xff\"]", "UTF-8"},
    {"a comment", "{} // no", "line 1"},
    {"NaN", "[NaN]", "line 1"},
    {"the line of the mistake", "{\n\"a\": 1,\n}", "line 3"},
};

TEST(Json, RefusesWhatIsNotJsonAndSaysWhy) {
  for (const Bad& bad : kBad) {
    SCOPED_TRACE(bad.name);
    EXPECT_FALSE(try_parse_json(bad.text));
    try {
      parse_json(bad.text);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
      EXPECT_NE(error.message().find(bad.reason), std::string::npos) << error.message();
    }
  }
}

TEST(Json, RefusesDepthAndSizePastTheLimits) {
  EXPECT_TRUE(try_parse_json("[[[1]]]", {.depth = 3, .bytes = 100}));
  EXPECT_FALSE(try_parse_json("[[[1]]]", {.depth = 2, .bytes = 100}));
  EXPECT_FALSE(try_parse_json("[[[1]]]", {.depth = 3, .bytes = 6}));
  EXPECT_FALSE(try_parse_json(std::string(1'000'000, '[')));
}

TEST(Json, KeepsTheOrderOfKeysAndTheirNumbers) {
  EXPECT_EQ(dump(parse_json(R"({"b":0.75,"a":1.0,"c":18446744073709551615})")),
            R"({"b":0.75,"a":1.0,"c":18446744073709551615})");
  EXPECT_EQ(dump_canonical(parse_json(R"({"b":1,"a":{"d":1,"c":2}})")),
            R"({"a":{"c":2,"d":1},"b":1})");
}

struct Found {
  std::string_view name, text, json;
};
constexpr Found kFound[] = {
    {"the whole text", R"( {"a":1} )", R"({"a":1})"},
    {"a fenced block", "Here:\n```json\n{\"a\":1}\n```\nDone.", R"({"a":1})"},
    {"a fence that never closes", "```json\n{\"a\":1}\n", R"({"a":1})"},
    {"the last of two fenced blocks", "```\n{\"a\":1}\n```\n```\n{\"a\":2}\n```", R"({"a":2})"},
    {"prose around it", R"(The verdict is {"a":1}, I think.)", R"({"a":1})"},
    {"brackets in prose before it", R"(See [1 and {this}. {"a":"}"})", R"({"a":"}"})"},
    {"the last of two objects", R"(First {"a":1}, then {"a":2}.)", R"({"a":2})"},
    {"a bare number", "0.5", "0.5"},
};

TEST(Json, FindsTheValueInsideAReply) {
  for (const Found& found : kFound) {
    SCOPED_TRACE(found.name);
    const auto value = json_in_text(found.text);
    ASSERT_TRUE(value);
    EXPECT_EQ(dump(*value), found.json);
  }
  EXPECT_FALSE(json_in_text("no JSON here"));
  EXPECT_FALSE(json_in_text("{\"a\": 1"));
  EXPECT_FALSE(json_in_text(R"({"passed": false, "detail": {"passed": true})"));
  EXPECT_FALSE(json_in_text(R"({"passed": false, oops {"passed": true}})"));
  EXPECT_FALSE(json_in_text(R"([{"passed": false}, {"passed": true})"));
}

TEST(Json, ShowsALocationWithDots) {
  EXPECT_EQ(dotted_path("/items/0/na~1me"), "items.0.na/me");
  EXPECT_EQ(dotted_path(""), "");
}

TEST(Json, NoKeyStandsTwiceAmongFewOrMany) {
  for (int members = 2; members < 40; ++members) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += "\"k" + std::to_string(i) + "\":{\"k0\":1},";
    EXPECT_TRUE(try_parse_json(text + "\"other\":0}")) << members;
    for (const int twice : {0, members / 2, members - 1}) {
      EXPECT_FALSE(try_parse_json(text + "\"k" + std::to_string(twice) + "\":0}")) << members;
    }
  }
}

RC_GTEST_PROP(Json, PrintsEveryDoubleSoThatItReadsBackEqual, (double number)) {
  const std::string text = dump(Json(number));
  RC_ASSERT(parse_json(text).get<double>() == number);
}

RC_GTEST_PROP(Json, NeverFailsToPrintAString, (const std::string& bytes)) {
  RC_ASSERT(try_parse_json(dump(Json(bytes))).has_value());
}

RC_GTEST_PROP(Json, ReadsAnyBytesWithoutHarm, (const std::string& bytes)) {
  (void)try_parse_json(bytes);
  (void)json_in_text("{" + bytes + "[" + bytes + "}");
}

}  // namespace
}  // namespace hone
