#include "hone/journal/difference.h"

#include <gtest/gtest.h>

#include <vector>

namespace hone::journal {
namespace {

struct Case {
  const char* name;
  const char* recorded;
  const char* now;
  const char* expected;
};

TEST(Difference, ShowsThePlaceAndTheChangedLines) {
  const Case cases[] = {
      {"equal", R"({"a":1})", R"({"a":1})", ""},
      {"number", R"({"a":{"b":0.5}})", R"({"a":{"b":0.7}})", "a/b:\n- 0.5\n+ 0.7"},
      {"line", R"({"t":"one\ntwo\nthree"})", R"({"t":"one\n2\nthree"})", "t, line 2:\n- two\n+ 2"},
      {"added line", R"({"t":"one\nthree"})", R"({"t":"one\ntwo\nthree"})", "t, line 2:\n+ two"},
      {"added message", R"({"m":["a"]})", R"({"m":["a","b"]})", "m/1:\n- null\n+ \"b\""},
      {"missing member", R"({"a":1,"b":2})", R"({"a":1})", "b:\n- 2\n+ null"},
      {"many", R"([1,2,3,4,5])", R"([6,7,8,9,0])",
       "0:\n- 1\n+ 6\n1:\n- 2\n+ 7\n2:\n- 3\n+ 8\n… and 2 more places"},
  };
  for (const Case& example : cases) {
    EXPECT_EQ(difference(example.recorded, example.now), example.expected) << example.name;
  }
}

TEST(Difference, ShowsTheChangedPartOfALongLine) {
  const std::string lead(500, 'x');
  const std::string tail(500, 'y');
  const std::string shown =
      difference("[\"" + lead + "old" + tail + "\"]", "[\"" + lead + "new" + tail + "\"]");
  EXPECT_NE(shown.find("xold"), std::string::npos) << shown;
  EXPECT_NE(shown.find("xnew"), std::string::npos) << shown;
  EXPECT_LT(shown.size(), 300u);
}

TEST(NearestPath, BeginsMostAlike) {
  const std::vector<std::string> paths{"attempt/1/evaluate/ask/1", "attempt/1/generate",
                                       "attempt/2/revise"};
  EXPECT_EQ(nearest_path("attempt/2/evaluate", paths), "attempt/2/revise");
  EXPECT_EQ(nearest_path("attempt/1/evaluate/ask/2", paths), "attempt/1/evaluate/ask/1");
  EXPECT_EQ(nearest_path("attempt/1", {}), "");
}

}  // namespace
}  // namespace hone::journal
