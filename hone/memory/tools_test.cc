#include "hone/memory/tools.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hone::memory {
namespace {

using Tools = std::set<std::string>;

TEST(Tools, AreNamedByTheirWriting) {
  struct Case {
    std::string text;
    Tools tools;
  };
  const Case cases[] = {
      {"Fetch the page with `curl`, then parse it.", {"curl"}},
      {"GET https://api.example.com/v1/prices?day=3 often fails.", {"api.example.com/v1/prices"}},
      {"The endpoint /v1/orders/1234 needs a key.", {"/v1/orders"}},
      {"Call pandas.read_csv() and read_csv.", {"pandas.read_csv", "read_csv"}},
      {"std::regex is slow (see `std::regex`).", {"std::regex"}},
      {"Use the feed, e.g. the second one and/or 3.14.", {}},
      {"Wait. Then go on!", {}},
      {"`two\nlines` and an ` open one", {}},
      {"", {}}};
  for (const Case& each : cases) EXPECT_EQ(tools_in(each.text), each.tools) << each.text;
}

TEST(Tools, AreOnlySoMany) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += " tool_" + std::string(1 + i % 50, 'x') + std::to_string(i);
  EXPECT_EQ(tools_in(text).size(), 32U);
}

RC_GTEST_PROP(Tools, AnyTextIsRead, (const std::string& text)) {
  RC_ASSERT(tools_in(text).size() <= 32U);
}

}  // namespace
}  // namespace hone::memory
