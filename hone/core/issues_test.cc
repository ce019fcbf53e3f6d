#include "hone/core/issues.h"

#include <gtest/gtest.h>

namespace hone::core {
namespace {

Evaluation with(std::vector<std::string> paths) {
  Evaluation evaluation = failed(Score(0.5), {});
  for (const std::string& path : paths) {
    evaluation.issues.push_back(
        {.path = path, .message = "m", .kind = "required", .check = "schema"});
  }
  return evaluation;
}

TEST(Changes, SayWhatARevisionDidToTheIssues) {
  const Evaluation first = with({"/a", "/b"});
  const Evaluation second = with({"/b", "/c"});
  const Evaluation third = with({"/a", "/d"});
  const Changes changes = compare_issues(second, third, {&first, &second});
  EXPECT_EQ(changes.resolved,
            (std::vector<std::string>{"schema: /b required", "schema: /c required"}));
  EXPECT_EQ(changes.carried, std::vector<std::string>());
  EXPECT_EQ(changes.added, std::vector<std::string>{"schema: /d required"});
  EXPECT_EQ(changes.resurfaced, std::vector<std::string>{"schema: /a required"});
}

TEST(Changes, IssuesWithoutAPlaceDifferByWhatTheySay) {
  EXPECT_EQ(label({.message = "too long", .kind = "judge", .check = "judge"}), "judge: too long");
  EXPECT_EQ(label({.line = 3, .message = "x", .kind = "command", .check = "tests"}),
            "tests: line 3 command");
}

}  // namespace
}  // namespace hone::core
