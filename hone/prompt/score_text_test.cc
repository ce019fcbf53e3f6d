#include "hone/prompt/score_text.h"

#include <gtest/gtest.h>

#include <optional>

namespace hone::prompt {
namespace {

TEST(ScoreText, ConvertsScalesAndNeverClamps) {
  struct Case {
    const char* text;
    std::optional<double> expected;
  };
  const Case cases[] = {
      {"0.8", 0.8},
      {".5", 0.5},
      {"1", 1.0},
      {"1.", 1.0},
      {"1e-1", 0.1},
      {"-0.5", -0.5},
      {"8", 8.0},
      {"8/10", 0.8},
      {"8 / 10", 0.8},
      {"12/10", 1.2},
      {"85%", 0.85},
      {"85 %", 0.85},
      {"85 percent", 0.85},
      {"4 out of 5", 0.8},
      {"3 (scale 1-5)", 0.5},
      {"3 (1–5)", 0.5},
      {"4 (out of 5)", 0.8},
      {"7 (/10)", 0.7},
      {"3 on a scale of 1 to 5", 0.5},
      {"3 on a 1-5 scale", 0.5},
      {"0,9", {}},
      {"1,000", {}},
      {"nan", {}},
      {"inf", {}},
      {"", {}},
      {"x", {}},
      {"8/0", {}},
      {"0.4/0.5", {}},
      {"0.4-0.9", {}},
      {"0.4 – 0.9", {}},
      {"0.2 or 0.9", {}},
      {"0.9?", {}},
      {"8/10 (1-5)", {}},
      {"0.9 (was 0.2)", {}},
      {"4 stars", {}},
      {"8/10/2024", {}},
      {"1e999", {}},
      {"0x1", {}},
      {"5 on a 1-1 scale", {}},
  };
  for (const Case& one : cases) EXPECT_EQ(score_in(one.text), one.expected) << one.text;
}

TEST(ScoreText, UsesAScaleThatWasNamedBefore) {
  EXPECT_EQ(score_in("9", Scale{0, 10}), 0.9);
  EXPECT_EQ(score_in("1", Scale{1, 5}), 0.0);
  EXPECT_EQ(score_in("9/10", Scale{0, 10}), std::nullopt);
}

TEST(ScoreText, ReadsScalesInWords) {
  EXPECT_EQ(scale_from("1-5"), (Scale{1, 5}));
  EXPECT_EQ(scale_from("scale: 0 to 100"), (Scale{0, 100}));
  EXPECT_EQ(scale_from("on a scale from 1 to 5"), (Scale{1, 5}));
  EXPECT_EQ(scale_from("out of 20"), (Scale{0, 20}));
  EXPECT_EQ(scale_from("0.0-1.0"), (Scale{0, 1}));
  for (const char* words : {"clarity", "5-1", "1-5, 5 is worst", "", "-", "1-", "ten"}) {
    EXPECT_EQ(scale_from(words), std::nullopt) << words;
  }
}

TEST(ScoreText, SaysWhereItEnds) {
  EXPECT_EQ(score_at("8/10, because"), (ScoreText{0.8, 4}));
  EXPECT_EQ(score_at("0.9. Good."), (ScoreText{0.9, 3}));
}

}  // namespace
}  // namespace hone::prompt
