#include "hone/evaluate/word_verdict.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kMostFaults = 20;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string_view first_word(std::string_view text) {
  return text.substr(
      0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_letter) - text.begin()));
}

std::optional<bool> flag_of(std::string_view text) {
  const std::string word = lower(first_word(text));
  if (word == "yes") return true;
  return word == "no" ? std::optional(false) : std::nullopt;
}

// Of yes against no.
std::optional<Score> probability_in(const core::ModelReply& reply) {
  if (reply.probabilities.size() != 2) return std::nullopt;
  const double yes = reply.probabilities[0];
  const double both = yes + reply.probabilities[1];
  if (!std::isfinite(both) || both <= 0) return std::nullopt;
  return Score::in_range(yes / both);
}

std::vector<core::Issue> faults_in(std::string_view text) {
  std::vector<core::Issue> faults;
  for (const std::string& line : split(text, '\n')) {
    std::string_view fault = trim(line);
    while (!fault.empty() && std::string_view("-*.,:; ").find(fault.front()) != fault.npos) {
      fault.remove_prefix(1);
    }
    if (fault.empty() || faults.size() == kMostFaults) continue;
    faults.emplace_back();
    faults.back().message = fault;
  }
  return faults;
}

}  // namespace

prompt::ReadVerdict read_word_verdict(const core::ModelReply& reply) {
  const std::string_view text = trim(reply.text);
  const auto flag = flag_of(text);
  const auto probability = probability_in(reply);
  if (!flag && !probability) return prompt::read_verdict(text);
  prompt::Verdict verdict;
  verdict.score = probability;
  if (!probability) verdict.passed = flag;
  if (flag == false) verdict.issues = faults_in(text.substr(first_word(text).size()));
  return verdict;
}

}  // namespace hone::evaluate
