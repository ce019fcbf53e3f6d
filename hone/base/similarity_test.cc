#include "hone/base/similarity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace hone {
namespace {

constexpr std::string_view kMemo =
    "Sales rose by four percent in the third quarter because two large customers came back and the "
    "new shop in the north opened a month early";

struct Case {
  std::string_view name;
  std::string left;
  std::string right;
  double low;
  double high;
};

const Case kCases[] = {
    {"equal texts", "abc", "abc", 1, 1},
    {"white space alone", "a  b\nc", "a b c", 1, 1},
    {"both empty", "", "", 1, 1},
    {"one empty", "", "abc", 0, 0},
    {"nothing in common", "abcdef", "uvwxyz", 0, 0},
    {"one word of many", std::string(kMemo), std::string(kMemo) + " indeed", 0.95, 0.99},
    {"another memo", std::string(kMemo),
     "Costs fell in spring since the old machines were sold and nobody had to mend them at night "
     "any more as before",
     0, 0.1},
    {"a short line of code", "return a + b;", "return a + b + c;", 0.6, 0.95},
    {"another script", "日本語の文章です", "日本語の文章でした", 0.5, 0.95},
};

TEST(Similarity, IsTheShareOfShinglesInCommon) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_GE(similarity(c.left, c.right), c.low);
    EXPECT_LE(similarity(c.left, c.right), c.high);
  }
}

RC_GTEST_PROP(Similarity, IsSymmetricAndBetweenNothingAndOne,
              (const std::string& left, const std::string& right)) {
  const double value = similarity(left, right);
  RC_ASSERT(value >= 0 && value <= 1);
  RC_ASSERT(value == similarity(right, left));
  RC_ASSERT(similarity(left, left) == 1);
}

}  // namespace
}  // namespace hone
