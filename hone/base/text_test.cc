#include "hone/base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace hone {
namespace {

TEST(Text, CutsALineAtAWholeCharacter) {
  EXPECT_EQ(one_line("short", 10), "short");
  EXPECT_EQ(one_line("häßlich lang", 5), "häßl…");
  EXPECT_EQ(one_line("first\n\n  second", 20), "first second");
  EXPECT_EQ(one_line("{\n  \"a\": 1\n}", 20), "{ \"a\": 1 }");
  EXPECT_EQ(one_line("exact", 5), "exact");
  EXPECT_EQ(one_line("longer", 5), "long…");
  EXPECT_EQ(width("häßl…"), 5u);
}

TEST(Text, FindsTheFirstSentence) {
  EXPECT_EQ(first_sentence("Add 1.5 to it. Then stop."), "Add 1.5 to it.");
  EXPECT_EQ(first_sentence("No end"), "No end");
  EXPECT_EQ(first_sentence("Line\nnext."), "Line");
}

TEST(Text, SuggestsTheKeyThatWasMeant) {
  const std::array<std::string, 3> keys{"attempts", "plateau", "duplicate"};
  EXPECT_EQ(nearest("attemps", keys), "attempts");
  EXPECT_EQ(nearest("plataeu", keys), "plateau");
  EXPECT_EQ(nearest("colour", keys), std::nullopt);
}

struct Bytes {
  std::string_view name, text;
  bool valid;
};
constexpr Bytes kBytes[] = {
    {"ascii", "abc", true},
    {"two bytes", "\xC3\xA4", true},
    {"overlong", "\xC0\xAF", false},
    {"a surrogate", "\xED\xA0\x80", false},
    {"cut short", "\xE2\x82", false},
    {"past the last plane", "\xF4\x90\x80\x80", false},
    {"four bytes", "\xF0\x9F\x98\x80", true},
};

TEST(Text, TellsUtf8FromOtherBytes) {
  for (const Bytes& bytes : kBytes) {
    SCOPED_TRACE(bytes.name);
    EXPECT_EQ(is_utf8(bytes.text), bytes.valid);
  }
}

RC_GTEST_PROP(Text, RepairedBytesAreUtf8AndKeepValidText, (const std::string& bytes)) {
  const std::string repaired = to_utf8(bytes);
  RC_ASSERT(is_utf8(repaired));
  if (is_utf8(bytes)) RC_ASSERT(repaired == bytes);
}

}  // namespace
}  // namespace hone
