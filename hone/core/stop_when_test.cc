#include "hone/core/stop_when.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace hone::core {
namespace {

constexpr std::string_view kMemo =
    "Sales rose by four percent in the third quarter because two large customers came back and the "
    "new shop in the north opened a month early";

// Scores (negative: unknown), or outputs, or issues, of attempts that did not pass.
struct Case {
  std::string_view name;
  StopWhen rules;
  std::vector<double> scores;
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> issues;
  std::optional<StopReason> expected;
  std::string detail;
};

core::Run run_of(const Case& c) {
  core::Run run;
  const std::size_t count = std::max({c.scores.size(), c.texts.size(), c.issues.size()});
  for (std::size_t i = 0; i < count; ++i) {
    Attempt attempt;
    attempt.number = run.next_number();
    attempt.output.text = i < c.texts.size() ? c.texts[i] : std::to_string(i);
    const double score = i < c.scores.size() ? c.scores[i] : 0.5;
    attempt.evaluation = score < 0 ? unknown("?") : failed(Score(score), {});
    if (i < c.issues.size()) {
      for (const std::string& message : c.issues[i]) {
        attempt.evaluation.issues.push_back({.message = message, .check = "judge"});
      }
    }
    run.attempts.push_back(attempt);
  }
  return run;
}

const StopWhen kOscillation{.oscillation = OscillationRule()};
const StopWhen kDiminishing{.diminishing = DiminishingRule()};
const StopWhen kStable{.stable = StableRule()};
const StopWhen kRepeated{.repeated_issues = 2};
const StopWhen kPlateau{.plateau = PlateauRule()};
const std::string kTwice = std::string(kMemo) + " indeed";

const Case kCases[] = {
    {"up and down without a rise",
     kOscillation,
     {0.4, 0.7, 0.4, 0.7},
     {},
     {},
     StopReason::Oscillation,
     "the score went up and down 3 times by 0.05 or more and did not rise: 0.40, 0.70, 0.40, 0.70"},
    {"down and up", kOscillation, {0.7, 0.4, 0.7, 0.5}, {}, {}, StopReason::Oscillation, ""},
    {"two turns are not enough", kOscillation, {0.4, 0.7, 0.4}, {}, {}, {}, ""},
    {"swings that are too small", kOscillation, {0.40, 0.43, 0.40, 0.43}, {}, {}, {}, ""},
    {"peaks that rise are a trend", kOscillation, {0.4, 0.6, 0.5, 0.7}, {}, {}, {}, ""},
    {"three in one direction", kOscillation, {0.4, 0.5, 0.6, 0.5}, {}, {}, {}, ""},
    {"an unknown is no turn",
     kOscillation,
     {0.4, 0.7, -1, 0.4, 0.7},
     {},
     {},
     StopReason::Oscillation,
     ""},
    {"gains that are small",
     kDiminishing,
     {0.5, 0.6, 0.62, 0.63},
     {},
     {},
     StopReason::Diminishing,
     "the last 2 gains of the best score are below 0.05: 0.02, 0.01"},
    {"one small gain", kDiminishing, {0.5, 0.6, 0.62}, {}, {}, {}, ""},
    {"no gain is a plateau, not a diminishing one", kDiminishing, {0.5, 0.5, 0.5}, {}, {}, {}, ""},
    {"a gain of exactly the limit", kDiminishing, {0.5, 0.55, 0.6}, {}, {}, {}, ""},
    {"the first score is no gain", kDiminishing, {0.01, 0.02}, {}, {}, {}, ""},
    {"outputs that hardly change",
     kStable,
     {},
     {std::string(kMemo), kTwice, std::string(kMemo)},
     {},
     StopReason::Stable,
     ""},
    {"one that does", kStable, {}, {"something else", std::string(kMemo), kTwice}, {}, {}, ""},
    {"the same issue again",
     kRepeated,
     {},
     {},
     {{"a"}, {"a"}},
     StopReason::RepeatedIssues,
     "the last 2 attempts have the same issue: judge: a"},
    {"the same issues in another order",
     kRepeated,
     {},
     {},
     {{"a", "b"}, {"b", "a"}},
     StopReason::RepeatedIssues,
     "the last 2 attempts have the same 2 issues: judge: a"},
    {"one of two resolved", kRepeated, {}, {}, {{"a", "b"}, {"a"}}, {}, ""},
    {"no issues are not the same ones", kRepeated, {0.5, 0.5}, {}, {}, {}, ""},
    {"the plateau counts from the first score", kPlateau, {-1, -1, 0.5}, {}, {}, {}, ""},
    {"all fire",
     {.all = {kPlateau, kRepeated}},
     {0.5, 0.5, 0.5},
     {},
     {{"a"}, {"a"}, {"a"}},
     StopReason::Plateau,
     "2 attempts did not raise the best score 0.50 by 0.05; and the last 2 attempts have the same "
     "issue: judge: a"},
    {"one of all does not",
     {.all = {kPlateau, kRepeated}},
     {0.5, 0.5, 0.5},
     {},
     {{"a"}, {"a"}, {"b"}},
     {},
     ""},
    {"one of any does",
     {.any = {kPlateau, kRepeated}},
     {0.1, 0.5},
     {},
     {{"a"}, {"a"}},
     StopReason::RepeatedIssues,
     ""},
    {"any inside all",
     {.all = {{.any = {kOscillation, kPlateau}}, kRepeated}},
     {0.5, 0.5, 0.5},
     {},
     {{"a"}, {"a"}, {"a"}},
     StopReason::Plateau,
     ""},
};

TEST(StopWhen, DecidesByWhatTheAttemptsWere) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto stop = c.rules.decide(run_of(c));
    EXPECT_EQ(stop ? std::optional(stop->reason) : std::nullopt, c.expected);
    if (!c.detail.empty()) {
      ASSERT_TRUE(stop);
      EXPECT_EQ(stop->detail, c.detail);
    }
  }
}

TEST(StopWhen, WithoutRulesNeverFires) {
  EXPECT_FALSE(StopWhen().decide(run_of({.scores = {0.5, 0.5, 0.5, 0.5}})));
}

RC_GTEST_PROP(StopWhen, AllFiresOnlyWhenEachOfItsRulesWould, ()) {
  Case c;
  c.scores = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::inRange(0, 10), [](int tenths) { return tenths / 10.0; }));
  const core::Run run = run_of(c);
  const StopWhen both{.all = {kPlateau, kOscillation}};
  const StopWhen either{.any = {kPlateau, kOscillation}};
  const bool first = kPlateau.decide(run).has_value();
  const bool second = kOscillation.decide(run).has_value();
  RC_ASSERT(both.decide(run).has_value() == (first && second));
  RC_ASSERT(either.decide(run).has_value() == (first || second));
}

}  // namespace
}  // namespace hone::core
