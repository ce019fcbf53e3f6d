#include "hone/prompt/comparison.h"

#include <gtest/gtest.h>

namespace hone::prompt {
namespace {

std::string told(std::string_view reply) {
  const auto read = read_comparison(reply);
  if (const auto* unreadable = std::get_if<Unreadable>(&read)) return unreadable->problem;
  const auto& comparison = std::get<Comparison>(read);
  const std::string word = comparison.better == Better::First    ? "A"
                           : comparison.better == Better::Second ? "B"
                                                                 : "tie";
  return comparison.reason.empty() ? word : word + " " + comparison.reason;
}

struct Case {
  const char* reply;
  const char* expected;
};
constexpr const char* kUnsaid = "it does not say `better` as A, B or tie in JSON";
constexpr Case kCases[] = {
    {R"({"better":"A","reason":"it is right"})", "A it is right"},
    {R"({"better":"b"})", "B"},
    {R"({"winner":"Text B"})", "B"},
    {R"({"better":"tie"})", "tie"},
    {"```json\n{\"better\":\"A\"}\n```", "A"},
    {"A", "A"},
    {" **B**.", "B"},
    {"tie", "tie"},
    {"<think>A? B?</think>B", "B"},
    {R"({"better":"A"} {"better":"A"})", "A"},
    {R"({"better":"A"} {"better":"B"})", "it names both texts"},
    {"A is better than B", kUnsaid},
    {"Both have faults", kUnsaid},
    {R"({"better":1})", kUnsaid},
    {R"({"better":"C"})", kUnsaid},
    {R"({"better":true})", kUnsaid},
    {R"({"reason":"A"})", kUnsaid},
    {"", kUnsaid},
};

TEST(Comparison, IsReadStrictly) {
  for (const Case& one : kCases) EXPECT_EQ(told(one.reply), one.expected) << one.reply;
}

}  // namespace
}  // namespace hone::prompt
