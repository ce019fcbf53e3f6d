#include "hone/memory/likeness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hone::memory {
namespace {

TEST(Likeness, SameAdviceInOtherWordsIsTheSame) {
  const std::pair<std::string, std::string> same[] = {
      {"Check required fields before answering.", "Check the required fields before you answer."},
      {"Always validate the API response status before parsing the body.",
       "Always validate API response status before parsing body"},
      {"Return bare JSON, no fences.", "return bare JSON without fences"},
      {"日付を解析する前に確認する。", "日付を解析する前に確認する"}};
  for (const auto& [left, right] : same) {
    EXPECT_TRUE(says_the_same(left, right)) << left << " / " << right;
    EXPECT_FALSE(says_the_opposite(left, right)) << left << " / " << right;
  }
}

TEST(Likeness, OtherAdviceIsNotTheSame) {
  const std::pair<std::string, std::string> other[] = {
      {"Retry 3 times.", "Retry 5 times."},
      {"Check required fields before answering.", "Check the date before answering."},
      {"Use tabs.", "Never use tabs."},
      {"Validate before parsing.", "Validate after parsing."},
      {"Let bread dough rest.", "Quote shell variables."}};
  for (const auto& [left, right] : other)
    EXPECT_FALSE(says_the_same(left, right)) << left << " / " << right;
}

TEST(Likeness, OppositeAdviceIsNoticed) {
  const std::pair<std::string, std::string> opposite[] = {
      {"Use tabs for indentation.", "Never use tabs for indentation."},
      {"Validate the input before parsing.", "Validate the input after parsing."},
      {"Sort the results ascending.", "Sort the results descending."},
      {"Include comments in the output.", "Do not include comments in the output."}};
  for (const auto& [left, right] : opposite)
    EXPECT_TRUE(says_the_opposite(left, right)) << left << " / " << right;
  EXPECT_FALSE(says_the_opposite("Use tabs for indentation.", "Never bake without flour."));
}

RC_GTEST_PROP(Likeness, IsSymmetric, (const std::string& left, const std::string& right)) {
  RC_ASSERT(says_the_same(left, right) == says_the_same(right, left));
  RC_ASSERT(says_the_opposite(left, right) == says_the_opposite(right, left));
  RC_ASSERT(says_the_same(left, left));
}

}  // namespace
}  // namespace hone::memory
