#include "hone/evaluate/contains.h"

#include <gtest/gtest.h>

#include "hone/base/error.h"
#include "hone/evaluate/testing.h"

namespace hone::evaluate {
namespace {

TEST(Contains, ScoresTheShareOfTextsThatAreThere) {
  struct Case {
    std::vector<std::string> texts;
    std::string output;
    double score;
  };
  for (const Case& test : {Case{{"total"}, "the total is 3", 1.0}, Case{{"total"}, "Total", 0.0},
                           Case{{"a", "b"}, "a only", 0.5}, Case{{"a.c"}, "abc", 0.0},
                           Case{{"ü"}, "über", 1.0}, Case{{"x"}, "", 0.0}}) {
    ContainsCheck check(test.texts);
    const core::Evaluation evaluation = evaluation_of(check, test.output);
    EXPECT_EQ(evaluation.score, Score(test.score)) << test.output;
    const bool passed = evaluation.outcome == core::Outcome::Passed;
    EXPECT_EQ(passed, test.score == 1.0) << test.output;
    EXPECT_EQ(evaluation.issues.empty(), passed) << test.output;
  }
}

TEST(Contains, NamesWhatIsMissing) {
  ContainsCheck check({"there", "not there"});
  const core::Evaluation evaluation = evaluation_of(check, "it is there");
  ASSERT_EQ(evaluation.issues.size(), 1U);
  EXPECT_EQ(evaluation.issues[0].kind, "contains");
  EXPECT_EQ(evaluation.issues[0].message, "the output does not contain `not there`");
}

TEST(Contains, NeedsSomethingToLookFor) {
  EXPECT_THROW(ContainsCheck({}), Error);
  EXPECT_THROW(ContainsCheck({"a", ""}), Error);
}

}  // namespace
}  // namespace hone::evaluate
