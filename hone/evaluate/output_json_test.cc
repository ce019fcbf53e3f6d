#include "hone/evaluate/output_json.h"

#include <gtest/gtest.h>

namespace hone::evaluate {
namespace {

struct FoundCase {
  std::string output;
  std::string json;
};
TEST(OutputJson, IsTheWholeTheOnlyFenceOrTheLastInProse) {
  const FoundCase cases[] = {{" {\"a\": 1}\n", "{\"a\": 1}"},
                             {"5", "5"},
                             {"\"text\"", "\"text\""},
                             {"{\"a\":\"```json\\n{}\\n```\"}", "{\"a\":\"```json\\n{}\\n```\"}"},
                             {"```json\n{\"a\":1}\n```", "{\"a\":1}"},
                             {"Sure!\n```\n[1]\n```\nDone [2].", "[1]"},
                             {"```json\n{\"a\":1}", "{\"a\":1}"},
                             {"```json\n{\"a\":1}```", "{\"a\":1}"},
                             {"  ```json\n  {\"a\":1}\n  ```", "{\"a\":1}"},
                             {"```python\nprint(1)\n```\n```json\n{\"a\":1}\n```", "{\"a\":1}"},
                             {"```python\nprint(1)\n```\nwhich gives {\"a\":1}", "{\"a\":1}"},
                             {"The answer is {\"a\":{\"b\":\"}\"}}.", "{\"a\":{\"b\":\"}\"}}"},
                             {"Not {\"a\":1} but {\"a\":2}", "{\"a\":2}"},
                             {"I use ```{\"a\":1}``` here", "{\"a\":1}"},
                             {"```{\"a\":1}```", "{\"a\":1}"},
                             {"[as asked] {\"a\":1}", "{\"a\":1}"}};
  for (const FoundCase& test : cases) {
    const OutputJson found = find_json(test.output);
    ASSERT_TRUE(found.json) << test.output << ": " << found.problem;
    EXPECT_EQ(found.json->text, test.json) << test.output;
  }
}

struct ProblemCase {
  std::string output;
  std::string problem;  // Part of it.
  std::optional<int> line;
};
TEST(OutputJson, IsNeverGuessed) {
  const ProblemCase cases[] = {
      {"", "contains no JSON", {}},
      {"no braces at all", "contains no JSON", {}},
      {"{\"a\":\n{\"b\":1},\n", "broken", 3},                       // Not {"b":1}.
      {"The answer:\n{\"a\":[{\"b\":1}], \"c\": ", "broken", 2},    // Not [{"b":1}].
      {"{\"a\":{\"b\":1},}", "broken", 1},                          // Not {"b":1}.
      {"Here:\n```json\n{\"a\": 1,\n}\n```\nor [1]", "broken", 4},  // Not [1].
      {"```python\nx = {\"a\": 1}\n```", "contains no JSON", {}},
      {"```\n{}\n```\n```\n{}\n```", "2 fenced blocks", {}},
      {"{\"a\":1,\"a\":2}", "stands twice", {}},
      {"{'a': 1}", "broken", 1}};
  for (const ProblemCase& test : cases) {
    const OutputJson found = find_json(test.output);
    EXPECT_FALSE(found.json) << test.output << " gave " << found.json->text;
    EXPECT_NE(found.problem.find(test.problem), std::string::npos)
        << test.output << ": " << found.problem;
    EXPECT_EQ(found.line, test.line) << test.output << ": " << found.problem;
  }
}

TEST(OutputJson, WithoutAFenceThatEnclosesAll) {
  const FoundCase cases[] = {{" x ", "x"},
                             {"```json\n{}\n```\n", "{}"},
                             {"```\na\nb\n```", "a\nb"},
                             {"```\n```", "```\n```"},
                             {"```\na\n```\nb", "```\na\n```\nb"},
                             {"```\na\n```\n```\nb\n```", "```\na\n```\n```\nb\n```"},
                             {"```", "```"}};
  for (const FoundCase& test : cases) EXPECT_EQ(without_fence(test.output), test.json);
}

}  // namespace
}  // namespace hone::evaluate
