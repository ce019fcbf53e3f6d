#include "hone/model/choice_probability.h"

#include <gtest/gtest.h>

namespace hone::model {
namespace {

using Strings = std::vector<std::string>;
using TokenChoices = std::vector<TokenChoice>;

void expect_probabilities(const Strings& choices, const TokenChoices& tokens,
                          const std::vector<double>& expected) {
  const auto found = choice_probabilities(choices, tokens);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << i;
}

TEST(ChoiceProbabilities, AddUpTheSpellingsOfAChoice) {
  expect_probabilities({"yes", "no"},
                       {{"Yes", {{"Yes", 0.5}, {" yes", 0.2}, {"No", 0.2}, {"Well", 0.1}}}},
                       {0.7, 0.2});
}

TEST(ChoiceProbabilities, FollowAChoiceOverItsTokens) {
  expect_probabilities({R"({"passed": true)", R"({"passed": false)"},
                       {{"{\"", {{"{\"", 0.9}, {"The", 0.1}}},
                        {"passed", {{"passed", 1.0}}},
                        {"\":", {{"\":", 1.0}}},
                        {" false", {{" false", 0.75}, {" true", 0.25}}}},
                       {0.225, 0.675});
}

TEST(ChoiceProbabilities, LookPastWhiteSpace) {
  expect_probabilities({"yes", "no"}, {{"\n", {{"\n", 1.0}}}, {"no", {{"no", 0.6}, {"yes", 0.4}}}},
                       {0.4, 0.6});
}

TEST(ChoiceProbabilities, GiveTheLongerChoiceWhatBeginsBoth) {
  expect_probabilities({"no", "nothing"},
                       {{"no", {{"no", 1.0}}}, {"thing", {{"thing", 0.7}, {".", 0.3}}}},
                       {0.3, 0.7});
}

TEST(ChoiceProbabilities, CountAnAnswerThatEndsWithItsChoice) {
  expect_probabilities({"no", "nothing"}, {{"no", {{"no", 0.9}}}}, {0.9, 0});
  expect_probabilities({"yes"}, {{"y", {{"y", 0.8}, {"n", 0.2}}}}, {0.8});
}

TEST(ChoiceProbabilities, AreZeroForAnotherAnswerAndAbsentWhereNothingIsTold) {
  expect_probabilities({"yes", "no"}, {{"Maybe", {{"Maybe", 1.0}}}}, {0, 0});
  EXPECT_TRUE(choice_probabilities({}, TokenChoices{{"x", {}}}).empty());
  EXPECT_TRUE(choice_probabilities(Strings{"yes"}, {}).empty());
}

}  // namespace
}  // namespace hone::model
