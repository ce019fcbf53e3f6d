#include "hone/core/reflection_form.h"

#include <gtest/gtest.h>

namespace hone::core {
namespace {

const Reflection kSaid{.text = "All of it.",
                       .what_happened = "The feed was read.",
                       .what_went_wrong = "A row was lost.",
                       .why = "The last line had no end.",
                       .do_differently = "End the last line. Count the rows.",
                       .rule = "Count rows in and out.",
                       .procedure = "1. Read. 2. Count."};

std::vector<std::string> headings(ReflectionForm form) {
  std::vector<std::string> headings;
  for (const ReflectionSection& section : sections(kSaid, form))
    headings.push_back(section.heading);
  return headings;
}

TEST(ReflectionForm, EachHasTheFieldsOfTheProtocolInTheirOrder) {
  using Headings = std::vector<std::string>;
  EXPECT_EQ(headings(ReflectionForm::Full),
            (Headings{"What happened?", "What went wrong?", "Why did it go wrong?",
                      "What should I do differently?", "Tactical rule candidate"}));
  EXPECT_EQ(headings(ReflectionForm::Short),
            (Headings{"What happened?", "What went wrong?", "What should I do differently?"}));
  EXPECT_EQ(headings(ReflectionForm::Procedure), (Headings{"Strategy", "Why it worked"}));
  EXPECT_EQ(headings(ReflectionForm::Decision),
            (Headings{"What was the decision?", "What alternatives existed?",
                      "Why was this option chosen?"}));
  EXPECT_EQ(headings(ReflectionForm::Sentence), (Headings{""}));
}

TEST(ReflectionForm, IsChosenByTheOutcome) {
  struct Case {
    Evaluation evaluation;
    ReflectionForm form;
  };
  const Case cases[] = {{failed(Score(0.0), {}), ReflectionForm::Full},
                        {failed(Score(0.49), {}), ReflectionForm::Full},
                        {failed(Score(0.5), {}), ReflectionForm::Short},
                        {failed(Score(0.79), {}), ReflectionForm::Short},
                        {unknown("no answer"), ReflectionForm::Full},
                        {passed(Score(0.9)), ReflectionForm::Procedure}};
  for (const Case& each : cases)
    EXPECT_EQ(form_after(each.evaluation), each.form) << to_string(each.form);
}

TEST(ReflectionForm, OneReflectionIsShownInAnyForm) {
  EXPECT_EQ(rendered(kSaid, ReflectionForm::Procedure),
            "## Strategy\n\n1. Read. 2. Count.\n\n## Why it worked\n\nThe last line had no end.\n");
  EXPECT_EQ(rendered(kSaid, ReflectionForm::Sentence), "Count rows in and out.");
  EXPECT_EQ(rendered(Reflection{.rule = "Use SQLite."}, ReflectionForm::Decision),
            "## What was the decision?\n\nUse SQLite.\n\n## What alternatives existed?\n\nNot "
            "stated.\n\n## Why was this option chosen?\n\nNot stated.\n");
}

TEST(ReflectionForm, ASentenceComesFromWhatIsThere) {
  EXPECT_EQ(sentence_of({.do_differently = "End the line. Then count."}), "End the line.");
  EXPECT_EQ(sentence_of({.text = "Be exact. Always."}), "Be exact.");
  EXPECT_EQ(sentence_of({}), "");
}

}  // namespace
}  // namespace hone::core
