#include "hone/journal/phrases.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace hone::journal {
namespace {

TEST(Phrases, ShortenARequestToAThird) {
  const std::string request =
      R"({"model":"rules","request":{"attempt":2,"messages":[{"speaker":"system","text":"Be brief."},)"
      R"({"speaker":"user","text":{"$text":"12,15"}}],"role":"evaluate","sampling":{"temperature":0.7}}})";
  EXPECT_LT(shortened(request).size(), request.size() * 2 / 5);
  EXPECT_EQ(lengthened(shortened(request)), request);
}

TEST(Phrases, LeaveWhatWasWrittenWithoutThem) {
  const std::string old = "{\"event\":\"stopped\",\n\t\"text\":{\"$text\":[1]}}";
  EXPECT_EQ(lengthened(old), old);
}

RC_GTEST_PROP(Phrases, ComeBackByteForByte, ()) {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{
      R"({"$text":")", R"({"model":")", R"("evaluation":{)", R"("rule":)", "\x01", "\x02", "\x1b",
      "\x1f", "\x7f", "0", "1", "\n", "{", "\"", ",", "ä", std::string(1, '\0'), R"("}})"});
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  RC_ASSERT(lengthened(shortened(text)) == text);
}

// The stored form is for ever: a change of the table would make old stores unreadable.
TEST(Phrases, KeepTheirBytes) {
  EXPECT_EQ(shortened(R"({"$text":"7"})"),
            "\x01"
            "7\"}");
  EXPECT_EQ(shortened(R"({"model":"m"})"), "\x02m\"}");
  EXPECT_EQ(shortened(R"("}})"), "\x1d");
  EXPECT_EQ(shortened(R"("cached":)"), "\x1eW");
}

}  // namespace
}  // namespace hone::journal
