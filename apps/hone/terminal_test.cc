#include "apps/hone/terminal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hone/base/text.h"

namespace hone::app {
namespace {

TEST(TerminalText, CountsColumnsOfWideAndCombiningCharacters) {
  struct Case {
    std::string text;
    std::size_t columns;
  };
  for (const Case& each : {Case{"", 0}, Case{"abc", 3}, Case{"é", 1}, Case{"e\u0301", 1},
                           Case{"你好", 4}, Case{"🎉!", 3}, Case{"…", 1}}) {
    EXPECT_EQ(columns_of(each.text), each.columns) << each.text;
  }
}

TEST(TerminalText, FitsWhatIsTooLongAndSaysSo) {
  EXPECT_EQ(fit("short", 10), "short");
  EXPECT_EQ(fit("one two three", 8), "one two…");
  EXPECT_EQ(fit("你好吗", 4), "你…");
  EXPECT_EQ(fit("a\n b\tc", 10), "a b c");
  EXPECT_EQ(fit_end("one two three", 6), "…three");
  EXPECT_EQ(fit_end("short", 10), "short");
}

TEST(TerminalText, LetsNoControlSequenceThrough) {
  EXPECT_EQ(printable("a\x1b[2Jb\r\n\x07"), "a[2Jb\n");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "2J");  // CSI as one character.
}

RC_GTEST_PROP(TerminalText, NeverTakesMoreColumnsThanThereAre, (std::string text)) {
  const auto columns = *rc::gen::inRange<std::size_t>(0, 30);
  for (const std::string& shown : {fit(text, columns), fit_end(text, columns)}) {
    RC_ASSERT(columns_of(shown) <= columns);
    RC_ASSERT(is_utf8(shown));
  }
}

}  // namespace
}  // namespace hone::app
