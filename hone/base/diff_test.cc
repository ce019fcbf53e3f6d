#include "hone/base/diff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hone {
namespace {

using Pieces = std::vector<DiffPiece>;

std::string without(const Pieces& pieces, Change change) {
  std::string text;
  for (const DiffPiece& piece : pieces) {
    if (piece.change != change) text += piece.text;
  }
  return text;
}

TEST(Diff, ComparesWordByWord) {
  const Pieces expected{{Change::Kept, "the total is "},
                        {Change::Removed, "299.30"},
                        {Change::Added, "278.35"},
                        {Change::Kept, " today"}};
  EXPECT_EQ(difference("the total is 299.30 today", "the total is 278.35 today"), expected);
}

TEST(Diff, ComparesLineByLine) {
  const Pieces expected{
      {Change::Kept, "a\n"}, {Change::Removed, "b\n"}, {Change::Added, "x\n"}, {Change::Kept, "c"}};
  EXPECT_EQ(difference("a\nb\nc", "a\nx\nc", DiffUnit::Lines), expected);
}

TEST(Diff, KnowsTextsThatAreEqualOrEmpty) {
  EXPECT_EQ(difference("", ""), Pieces());
  EXPECT_EQ(difference("same", "same"), (Pieces{{Change::Kept, "same"}}));
  EXPECT_EQ(difference("", "new"), (Pieces{{Change::Added, "new"}}));
  EXPECT_EQ(difference("old", ""), (Pieces{{Change::Removed, "old"}}));
}

TEST(Diff, RepairsWhatIsNoUtf8) {
  EXPECT_EQ(difference("a\xFF", "a\xFF"), (Pieces{{Change::Kept, "a\xEF\xBF\xBD"}}));
}

TEST(Diff, SimilarityIsTheShareThatBothHave) {
  EXPECT_EQ(similarity(difference("", "")), 1.0);
  EXPECT_EQ(similarity(difference("one", "one")), 1.0);
  EXPECT_EQ(similarity(difference("one", "two")), 0.0);
  EXPECT_DOUBLE_EQ(similarity(difference("aa bb", "aa cc")), 0.6);
}

RC_GTEST_PROP(Diff, HoldsBothTexts, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab \n.")));
  const std::string before = *text;
  const std::string after = *text;
  for (const DiffUnit unit : {DiffUnit::Words, DiffUnit::Lines}) {
    const Pieces pieces = difference(before, after, unit);
    RC_ASSERT(without(pieces, Change::Added) == before);
    RC_ASSERT(without(pieces, Change::Removed) == after);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      RC_ASSERT(pieces[i - 1].change != pieces[i].change);
    }
  }
}

}  // namespace
}  // namespace hone
