#include "hone/journal/likeness.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace hone::journal {
namespace {

TEST(Likeness, StoresWhatIsNew) {
  Likeness writer;
  const std::string first = R"({"attempt":9,"messages":[a,b,c],"role":"generate"})";
  const std::string second = R"({"attempt":10,"messages":[a,b,c,d],"role":"revise"})";
  EXPECT_EQ(writer.shorten(3, first), first);
  EXPECT_EQ(writer.shorten(7, second), R"(~3:11:10:18:,d],"role":"revise"})");
  Likeness reader;
  EXPECT_EQ(reader.lengthen(3, first), first);
  EXPECT_EQ(reader.lengthen(7, R"(~3:11:10:18:,d],"role":"revise"})"), second);
}

TEST(Likeness, RefusesWhatDoesNotFitTheRequestBefore) {
  for (const char* broken :
       {"~2:1:1:1:x", "~3:99:1:1:x", "~3:1:1:99:x", "~3:1", "~", "~x:1:1:1:"}) {
    Likeness reader;
    reader.lengthen(3, "{\"a\":1}");
    EXPECT_EQ(reader.lengthen(4, broken), std::nullopt) << broken;
  }
}

RC_GTEST_PROP(Likeness, ComesBackByteForByte, ()) {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{
      "{\"attempt\":", "1", "12", "9", ",\"messages\":[", "abcdefghij", ":", "~", "]"});
  Likeness writer;
  Likeness reader;
  for (int i = 0; i < 6; ++i) {
    std::string text = "{";
    for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece))
      text += part;
    RC_ASSERT(reader.lengthen(2 * i, writer.shorten(2 * i, text)) == text);
  }
}

}  // namespace
}  // namespace hone::journal
