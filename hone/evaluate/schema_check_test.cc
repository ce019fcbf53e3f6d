#include "hone/evaluate/schema_check.h"

#include <gtest/gtest.h>

#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

constexpr std::string_view kMemo = R"({"type":"object","required":["title","summary"],
  "properties":{"title":{"type":"string"},"summary":{"type":"string"},
                "pages":{"type":"integer","minimum":1}}})";

core::Evaluation check(std::string_view schema, const std::string& output) {
  SchemaCheck evaluator{schema::Schema(schema)};
  return evaluation_of(evaluator, output);
}

TEST(SchemaCheck, PassesWithTheValue) {
  const auto evaluation = check(kMemo, "```json\n{\"title\":\"Q3\",\"summary\":\"Up.\"}\n```");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.score, Score(1.0));
  EXPECT_EQ(evaluation.value, JsonText{R"({"title":"Q3","summary":"Up."})"});
  EXPECT_TRUE(evaluation.issues.empty());
}

TEST(SchemaCheck, ReturnsTheCoercedValue) {
  const auto evaluation = check(kMemo, R"({"title":"Q3","summary":7,"pages":"3"})");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Passed);
  EXPECT_EQ(evaluation.value, JsonText{R"({"title":"Q3","summary":"7","pages":3})"});
}

TEST(SchemaCheck, GradesAMissAndNamesThePlace) {
  const auto evaluation = check(kMemo, R"({"title":"Q3"})");
  EXPECT_EQ(evaluation.outcome, core::Outcome::Failed);
  ASSERT_TRUE(evaluation.score);
  EXPECT_GT(evaluation.score->value(), 0.0);
  EXPECT_LT(evaluation.score->value(), 1.0);
  EXPECT_FALSE(evaluation.value);
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].path, "/summary");
  EXPECT_EQ(evaluation.issues[0].kind, "required");
  EXPECT_NE(evaluation.issues[0].message, "");
}

TEST(SchemaCheck, AWorseOutputScoresLess) {
  const auto one = check(kMemo, R"({"title":"Q3","summary":"x","pages":0})");
  const auto two = check(kMemo, R"({"title":"Q3","pages":0})");
  EXPECT_GT(core::compare(one, two), 0);
}

// The coercions that TEA makes and that lose something (seed 3): none of them passes here.
TEST(SchemaCheck, DoesNotCoerceWhatWouldBeLost) {
  struct Case {
    std::string type;
    std::string value;
  };
  for (const Case& test :
       {Case{"boolean", R"("maybe")"}, Case{"boolean", "1"}, Case{"integer", R"("1_000")"},
        Case{"integer", "true"}, Case{"number", R"("nan")"}, Case{"number", R"("inf")"},
        Case{"string", "null"}, Case{"string", "{}"}, Case{"string", "[1]"}}) {
    const std::string schema = R"({"type":")" + test.type + "\"}";
    const auto evaluation = check(schema, test.value);
    EXPECT_EQ(evaluation.outcome, core::Outcome::Failed) << test.type << " from " << test.value;
    EXPECT_EQ(evaluation.score, Score(0.0)) << test.type << " from " << test.value;
  }
}

TEST(SchemaCheck, AnOutputWithoutJsonScoresNothing) {
  const auto prose = check(kMemo, "I could not do it.");
  EXPECT_EQ(prose.outcome, core::Outcome::Failed);
  EXPECT_EQ(prose.score, Score(0.0));
  ASSERT_EQ(prose.issues.size(), 1U);
  EXPECT_EQ(prose.issues[0].kind, "json");

  const auto broken = check("{}", "{\"a\": {\"b\": 1},\n \"c\":");
  EXPECT_EQ(broken.outcome, core::Outcome::Failed);
  ASSERT_EQ(broken.issues.size(), 1U);
  EXPECT_EQ(broken.issues[0].line, 2);
}

TEST(SchemaCheck, ListsOnlySoManyIssues) {
  std::string output = "[";
  for (int i = 0; i < 500; ++i) output += "null,";
  output += "null]";
  const auto evaluation = check(R"({"type":"array","items":{"type":"object"}})", output);
  ASSERT_EQ(evaluation.issues.size(), SchemaCheck::kMostIssues + 1);
  EXPECT_EQ(evaluation.issues.back().message, "401 more violations are not listed");
}

struct Located {
  const char* name;
  std::string output;
  std::vector<std::pair<std::string, int>> places;  // Pointers and lines of the output.
};

TEST(SchemaCheck, EveryIssueHasItsPointerAndItsLine) {
  const Located cases[] = {
      {"the whole output", "{\n \"a\": [1,\n  \"x\"],\n \"b\": {}\n}", {{"/a/1", 3}, {"/b/c", 4}}},
      {"behind prose", "Here:\n\n{\"a\": [],\n\"b\": 5}", {{"/b", 4}}},
      {"in a fence", "Sure!\n```json\n{\n  \"a\": \"no\"\n}\n```\n", {{"/a", 4}, {"/b", 3}}},
      {"in text that was coerced",
       "{\"a\":\n \"[1,true]\",\n \"b\": {\"c\": null}}",
       {{"/a/1", 2}, {"/b/c", 3}}},
      {"of another kind", "\n[\n]", {{"", 2}}}};
  SchemaCheck check(schema::Schema(R"({"type":"object","required":["a","b"],"properties":{
      "a":{"type":"array","items":{"type":"integer"}},
      "b":{"type":"object","required":["c"],"properties":{"c":{"type":"integer"}}}}})"));
  for (const Located& one : cases) {
    std::vector<std::pair<std::string, int>> places;
    for (const core::Issue& issue : evaluation_of(check, one.output).issues) {
      places.emplace_back(issue.path, issue.line.value_or(0));
    }
    EXPECT_EQ(places, one.places) << one.name;
  }
}

}  // namespace
}  // namespace hone::evaluate
