// Replies of judges: whatever a model writes, reading it ends in a verdict or in "unreadable", and
// nothing passes that does not say so.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "fuzz/require.h"
#include "hone/base/text.h"
#include "hone/prompt/verdict.h"

namespace {

using namespace hone;
using hone::fuzz::require;

// Letters may hide in escapes such as \u0070, and then anything may be written there.
bool may_state_a_pass(const std::string& reply) {
  if (reply.find('\\') != std::string::npos) return true;
  const std::string text = lower(reply);
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  constexpr std::array<std::string_view, 4> kLabels{"pass", "valid", "verdict", "score"};
  constexpr std::array<std::string_view, 4> kFlags{"true", "pass", "valid", "yes"};
  const bool digit = text.find_first_of("0123456789") != std::string::npos;
  return std::ranges::any_of(kLabels, has) && (digit || std::ranges::any_of(kFlags, has));
}

void look_at(const core::Evaluation& evaluation, const std::string& reply, double threshold) {
  require(evaluation.score.has_value(), "a verdict has a score");
  require(evaluation.outcome != core::Outcome::Unknown, "a verdict is no unknown");
  if (evaluation.outcome == core::Outcome::Passed) {
    require(evaluation.score->value() >= threshold, "what passes reaches the threshold");
    require(may_state_a_pass(reply), "what passes says so");
  } else {
    require(!evaluation.issues.empty(), "what fails has an issue");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string reply(reinterpret_cast<const char*>(data), size);
  const auto read = prompt::read_verdict(reply);
  const auto* verdict = std::get_if<prompt::Verdict>(&read);
  if (verdict == nullptr) {
    require(!std::get<prompt::Unreadable>(read).problem.empty(), "unreadable says why");
    return 0;
  }
  require(verdict->passed || verdict->score, "a verdict says something");
  for (const double threshold : {0.0, 0.5, 0.8, 1.0}) {
    const auto decided = prompt::decide(*verdict, {Score(threshold), "judge"});
    const auto* evaluation = std::get_if<core::Evaluation>(&decided);
    if (evaluation != nullptr) look_at(*evaluation, reply, threshold);
  }
  return 0;
}
