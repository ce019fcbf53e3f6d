// What the tests of prompts and parsers share.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "hone/core/run.h"
#include "hone/prompt/prompts.h"
#include "hone/prompt/verdict.h"

namespace hone::prompt {

inline core::Issue issue_of(std::string check, std::string path, std::string message) {
  core::Issue issue;
  issue.check = std::move(check);
  issue.path = std::move(path);
  issue.message = std::move(message);
  return issue;
}

inline core::Attempt attempt_of(int number, std::string text, core::Evaluation evaluation) {
  core::Attempt attempt;
  attempt.number = number;
  attempt.output.text = std::move(text);
  attempt.evaluation = std::move(evaluation);
  return attempt;
}

// An order that was read wrongly: the second attempt is worse than the first.
inline core::Run sample_run() {
  core::Run run;
  run.task.prompt = "Read the order note as JSON {items, total}.\nNote: 3 pens at 14 each.";
  run.task.type = "analysis";
  run.attempts.push_back(
      attempt_of(1, "{\"items\": [\"pen\"], \"total\": 41}",
                 core::failed(Score(0.5), {issue_of("sum", "/total", "must be 42")})));
  run.attempts.back().evaluation.suggestions = {"Multiply before you add."};
  core::Reflection reflection;
  reflection.text = "The sum was guessed.";
  reflection.do_differently = "Compute 3 * 14 step by step.";
  reflection.rule = "Compute totals, never guess them.";
  run.attempts.back().reflection = reflection;
  run.attempts.push_back(
      attempt_of(2, "{\"items\": [\"pen\"]}",
                 core::failed(Score(0.2), {issue_of("schema", "/total", "is required")})));
  run.attempts.back().reflection.emplace();
  run.attempts.back().reflection->text = "The field is gone. Put it back.";
  run.attempts.back().reflection->rule = "The field is gone.";
  return run;
}

inline std::string shown(const Prompt& prompt) {
  std::string text;
  for (const core::Message& message : prompt.messages) {
    text += "--- " + std::string(to_string(message.speaker)) + " ---\n" + message.text + "\n";
  }
  return text;
}

// The characters of all messages, one after the other, the way a provider reads them.
inline std::string joined(const Prompt& prompt) {
  return prompt.messages.at(0).text + "\n" + prompt.messages.at(1).text;
}

// "passed 0.85", "failed 0.4" or "unreadable".
inline std::string told(std::string_view reply, double threshold = 0.8) {
  const ReadVerdict read = read_verdict(reply);
  if (!std::holds_alternative<Verdict>(read)) return "unreadable";
  const auto decided = decide(std::get<Verdict>(read), {Score(threshold), "judge"});
  if (!std::holds_alternative<core::Evaluation>(decided)) return "unreadable";
  const auto& evaluation = std::get<core::Evaluation>(decided);
  return fmt::format("{} {}", to_string(evaluation.outcome), evaluation.score->value());
}

// Compares with tests/golden/prompts/NAME.txt, or writes it where HONE_UPDATE_GOLDEN is set. Tests
// run in the root of the source.
inline void expect_golden(const std::string& name, const Prompt& prompt) {
  const std::string path = "tests/golden/prompts/" + name + ".txt";
  if (std::getenv("HONE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << shown(prompt);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), shown(prompt)) << path;
}

struct VerdictCase {
  const char* name;
  const char* reply;
  const char* expected;
};

}  // namespace hone::prompt
