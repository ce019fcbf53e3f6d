#include "hone/evaluate/equals.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/evaluate/json_difference.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

struct EqualCase {
  std::string expected;  // JSON
  std::string output;
  bool equal;
};
const EqualCase kEqualCases[] = {
    // Strings are texts.
    {R"("yes")", "yes", true},
    {R"("yes")", "\n yes \n", true},
    {R"(" yes\n")", "yes", true},
    {R"("yes")", "Yes", false},
    {R"("yes")", "\"yes\"", false},
    {R"("")", " \n", true},
    {R"("")", "x", false},
    {R"("1")", "1", true},
    {R"("1")", "1.0", false},
    // Everything else is JSON.
    {R"({"a":1})", R"({"a": 1})", true},
    {R"({"a":1})", R"({"a": 1.0})", true},
    {R"({"a":1})", R"({"a": 1e0})", true},
    {R"({"a":1,"b":[2,{"c":null}]})", R"({"b":[2,{"c":null}],"a":1})", true},
    {R"({"a":1})", "```json\n{\"a\": 1}\n```", true},
    {R"({"a":1})", "The answer is {\"a\": 1}", false},
    {R"({"a":1})", "```\n{\"a\": 1}\n```\nor\n```\n{\"a\": 2}\n```", false},
    {R"({"a":1})", R"({"a":"1"})", false},
    {R"({"a":1})", R"({"a":true})", false},
    {R"({"a":0})", R"({"a":false})", false},
    {R"({"a":null})", R"({})", false},
    {R"({})", R"({"a":null})", false},
    {R"({})", R"([])", false},
    {R"([1,2])", R"([2,1])", false},
    {R"([1,2])", R"([1,2,3])", false},
    {R"([])", R"([])", true},
    {"true", "true", true},
    {"true", "True", false},
    {"null", "null", true},
    {"0.1", "0.1", true},
    {"0", "-0.0", true},
    {"9007199254740993", "9007199254740992.0", false},
    {"18446744073709551615", "-1", false},
    {"18446744073709551615", "18446744073709551615", true},
    {R"("a")", "", false},
    {R"({"a":"é"})", "{\"a\":\"\\u00e9\"}", true},
    {"1", "one", false}};

TEST(Equals, ComparesTextsAndValues) {
  for (const EqualCase& test : kEqualCases) {
    EqualsCheck check(JsonText{test.expected});
    const core::Evaluation evaluation = evaluation_of(check, test.output);
    const auto wanted = test.equal ? core::Outcome::Passed : core::Outcome::Failed;
    EXPECT_EQ(evaluation.outcome, wanted) << test.expected << " and " << test.output;
    EXPECT_EQ(evaluation.score, Score(test.equal ? 1.0 : 0.0)) << test.output;
    EXPECT_EQ(evaluation.issues.empty(), test.equal) << test.output;
  }
}

struct PlaceCase {
  std::string expected;
  std::string output;
  std::string path;
  std::string message;
};
TEST(Equals, SaysWhereButNotWhatWasExpected) {
  const PlaceCase cases[] = {
      {R"({"a":{"b":1}})", R"({"a":{"b":2}})", "/a/b",
       "/a/b is 2, which is not the expected value"},
      {R"({"a/b":[1,2]})", R"({"a/b":[1,"x"]})", "/a~1b/1",
       "/a~1b/1 must be a number, but is a string"},
      {R"({"a":1,"b":2})", R"({"a":1})", "/b", "/b is missing"},
      {R"({"a":1})", R"({"a":1,"c":3})", "/c", "/c is not expected"},
      {R"({"a":[1,2]})", R"({"a":[1]})", "/a", "/a has 1 items, but must have 2"},
      {R"([])", R"({})", "", "the output must be an array, but is an object"}};
  for (const PlaceCase& test : cases) {
    EqualsCheck check(JsonText{test.expected});
    const core::Evaluation evaluation = evaluation_of(check, test.output);
    ASSERT_EQ(evaluation.issues.size(), 1U) << test.output;
    EXPECT_EQ(evaluation.issues[0].path, test.path);
    EXPECT_EQ(evaluation.issues[0].message, test.message);
  }
}

TEST(Equals, SaysAtWhichLineATextDiffers) {
  EqualsCheck check(JsonText{R"("one\ntwo\nthree")"});
  const core::Evaluation evaluation = evaluation_of(check, "\none\ntwo\nthird\n");
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].line, 4);
}

TEST(Equals, SaysWhatIsWrongWithBrokenJson) {
  EqualsCheck check(JsonText{R"({"a":1})"});
  const core::Evaluation evaluation = evaluation_of(check, "{\"a\":\n1,}");
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].kind, "json");
  EXPECT_EQ(evaluation.issues[0].line, 2);
}

TEST(JsonDifference, ListsOnlySoMany) {
  Json found = Json::array();
  Json expected = Json::array();
  for (int i = 0; i < 1000; ++i) {
    found.push_back(i);
    expected.push_back(-i - 1);
  }
  EXPECT_EQ(differences(found, expected).size(), kMostDifferences);
}

}  // namespace
}  // namespace hone::evaluate
