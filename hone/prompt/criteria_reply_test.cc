#include "hone/prompt/criteria_reply.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hone::prompt {
namespace {

const std::vector<std::string> kNames{"clarity", "edge_cases"};

// "clarity 0.7, edge_cases 1", or the problem.
std::string told(std::string_view text, const std::vector<std::string>& names = kNames) {
  const CriteriaReply reply = read_criteria(text, names);
  if (!reply.problem.empty()) return reply.problem;
  std::string shown;
  for (const auto& [name, score] : reply.scores) {
    shown += fmt::format("{}{} {}", shown.empty() ? "" : ", ", name, score.score.value());
  }
  return shown;
}

struct Case {
  const char* name;
  const char* reply;
  const char* expected;
};
constexpr const char* kBoth = "clarity 0.7, edge_cases 1";
constexpr Case kCases[] = {
    {"as asked", R"({"criteria":{"clarity":{"score":0.7,"reason":"r"},"edge_cases":{"score":1}}})",
     kBoth},
    {"numbers", R"({"criteria":{"clarity":0.7,"edge_cases":1}})", kBoth},
    {"a list",
     R"({"criteria":[{"name":"clarity","score":0.7},{"criterion":"edge_cases","score":1}]})",
     kBoth},
    {"at the top", R"({"clarity":0.7,"edge_cases":1,"suggestions":["x"],"score":0.9})", kBoth},
    {"other spelling", R"({"criteria":{"Clarity":0.7,"Edge cases":1}})", kBoth},
    {"on a scale", R"({"criteria":{"clarity":"7/10","edge_cases":"100 %"}})", kBoth},
    {"on a named scale",
     R"({"criteria":{"clarity":{"score":7,"scale":10},"edge_cases":{"score":1}}})", kBoth},
    {"flags", R"({"criteria":{"clarity":{"passed":false},"edge_cases":true}})",
     "clarity 0, edge_cases 1"},
    {"in a fence", "Sure:\n```json\n{\"criteria\":{\"clarity\":0.7,\"edge_cases\":1}}\n```", kBoth},
    {"after thoughts", R"(<think>{"clarity":0}</think>{"clarity":0.7,"edge_cases":1})", kBoth},
    {"in two parts", R"({"clarity":0.7} and {"edge_cases":1})", kBoth},
    {"the same twice", R"({"clarity":0.7,"edge_cases":1} {"clarity":0.7})", kBoth},
    {"one missing", R"({"criteria":{"clarity":0.7}})", "it has no score for `edge_cases`"},
    {"all missing", R"({"criteria":{}})",
     "it has no score for `clarity`; it has no score for `edge_cases`"},
    {"out of range", R"({"criteria":{"clarity":7,"edge_cases":1}})",
     "`clarity`: the score 7 is not from 0 to 1"},
    {"negative", R"({"criteria":{"clarity":-0.1,"edge_cases":1}})",
     "`clarity`: the score -0.1 is not from 0 to 1"},
    {"null", R"({"criteria":{"clarity":null,"edge_cases":1}})",
     "`clarity`: `score` must be a number from 0 to 1"},
    {"words", R"({"criteria":{"clarity":"good","edge_cases":1}})",
     "`clarity`: `score` must be a number from 0 to 1"},
    {"an empty verdict", R"({"criteria":{"clarity":{"reason":"r"},"edge_cases":1}})",
     "`clarity`: it has no verdict in JSON"},
    {"two scores", R"({"clarity":0.7,"edge_cases":1} {"clarity":0.2})",
     "it has different scores for `clarity`"},
    {"prose", "clarity: 0.7, edge cases: 1", "it has no scores in JSON"},
    {"broken off", R"({"criteria":{"clarity":0.7,)", "it has no scores in JSON"},
    {"nothing", "", "it has no scores in JSON"},
};

TEST(CriteriaReply, IsReadStrictly) {
  for (const Case& one : kCases) EXPECT_EQ(told(one.reply), one.expected) << one.name;
}

TEST(CriteriaReply, KeepsReasonsAndSuggestions) {
  const auto reply = read_criteria(
      R"({"criteria":{"clarity":{"score":0.7,"reason":"long words"},"edge_cases":1},"suggestions":["Be short."," ",5]})",
      kNames);
  EXPECT_EQ(reply.scores.at("clarity").reason, "long words");
  EXPECT_EQ(reply.suggestions, std::vector<std::string>{"Be short."});
}

TEST(CriteriaReply, CriteriaThatNobodyAskedForAreSetAside) {
  const auto reply =
      read_criteria(R"({"criteria":{"clarity":0.7,"humour":1,"edge_cases":1}})", kNames);
  EXPECT_EQ(reply.problem, "");
  EXPECT_EQ(reply.unasked, std::vector<std::string>{"humour"});
  EXPECT_FALSE(reply.scores.contains("humour"));
}

TEST(CriteriaReply, WhatCanBeReadIsKeptBesideAProblem) {
  const auto reply = read_criteria(R"({"criteria":{"clarity":0.7,"edge_cases":9}})", kNames);
  EXPECT_TRUE(reply.scores.contains("clarity"));
  EXPECT_FALSE(reply.scores.contains("edge_cases"));
}

RC_GTEST_PROP(CriteriaReply, NoTextGivesAScoreOutsideOfTheRange, (std::string text)) {
  static const std::vector<std::string> kPieces{
      "{", "}", "\"criteria\"", ":", "\"clarity\"", "0.5", "7", "-1", ",", "[", "]", "\"8/10\""};
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
    text += piece;
  const CriteriaReply reply = read_criteria(text, {"clarity"});
  RC_ASSERT(reply.problem.empty() == (reply.scores.size() == 1U));
}

}  // namespace
}  // namespace hone::prompt
