#include "hone/memory/lexical_embedder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "hone/base/digest.h"

namespace hone::memory {
namespace {

std::vector<float> embed(const std::string& text) {
  const std::vector<std::string> texts{text};
  return LexicalEmbedder().embed(texts).front();
}

double cosine(const std::string& left, const std::string& right) {
  const auto one = embed(left);
  const auto two = embed(right);
  return std::inner_product(one.begin(), one.end(), two.begin(), 0.0);
}

TEST(LexicalEmbedder, TextsWithTheSameWordsAreAlike) {
  EXPECT_NEAR(cosine("Parse the dates.", "parsing dates"), 1, 0.01);
  EXPECT_GT(cosine("parse the dates", "Use ISO 8601 when you parse dates."), 0.4);
  EXPECT_LT(std::abs(cosine("parse the dates", "Bake bread at 220 degrees.")), 0.15);
}

TEST(LexicalEmbedder, RareWordsCountMost) {
  const std::string lesson = "Quote the column names of a PostgreSQL query.";
  EXPECT_GT(cosine("PostgreSQL migration", lesson), cosine("write names of a list", lesson));
}

TEST(LexicalEmbedder, ReadsOtherScripts) {
  EXPECT_GT(cosine("日付を解析する", "日付の解析"), cosine("日付を解析する", "料理を作る"));
  EXPECT_GT(cosine("разобрать дату", "дату разобрать"), 0.6);
}

TEST(LexicalEmbedder, NothingSaidIsTheZeroVector) {
  for (const float part : embed(" … ")) EXPECT_EQ(part, 0);
}

// The vectors of a store were made by the program of another day: a change of them is a change of
// the name.
TEST(LexicalEmbedder, ItsVectorsBelongToItsName) {
  EXPECT_EQ(LexicalEmbedder().name(), "lexical-256-1");
  std::string signs;
  for (const float part : embed("Check the status before the body.")) signs += part < 0 ? '-' : '+';
  EXPECT_EQ(sha256(signs).substr(0, 12), "446c88670544");
}

RC_GTEST_PROP(LexicalEmbedder, VectorsHaveLengthOne, (const std::string& text)) {
  const auto vector = embed("word " + text);
  const double square = std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
  RC_ASSERT(std::abs(square - 1) < 1e-4);
}

}  // namespace
}  // namespace hone::memory
