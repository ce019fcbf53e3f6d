#include "apps/hone/rows.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"

namespace hone::app {
namespace {

TEST(Rows, AreTheLinesThatAreNotEmpty) {
  const auto rows = rows_of("{\"a\": 1}\r\n\n  \n{\"a\": 2}", "rows.jsonl");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].value.text, R"({"a":1})");
  EXPECT_EQ(rows[0].place, "rows.jsonl:1");
  EXPECT_EQ(rows[1].place, "rows.jsonl:4");
  EXPECT_TRUE(rows_of("\n\n", "rows.jsonl").empty());
}

TEST(Rows, NameTheFirstLineThatIsNoObject) {
  for (const std::string line :
       {"[1]", "5", "\"text\"", "{\"a\": }", "{\"a\": 1, \"a\": 2}", "null", "{\"a\": \"\xFF\"}"}) {
    try {
      rows_of("{\"a\": 1}\n" + line + "\n", "rows.jsonl");
      ADD_FAILURE() << line << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << line;
      EXPECT_TRUE(error.message().starts_with("rows.jsonl:2: ")) << error.message();
    }
  }
}

}  // namespace
}  // namespace hone::app
