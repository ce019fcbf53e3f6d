// A stop rule of your own: hands over to a person when the evaluator cannot tell.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "hone/core/run_task.h"
#include "hone/core/transcript.h"

namespace {

using namespace hone;

// Ends a run whose last `limit` attempts could not be judged.
core::StopRule hand_over_after(std::ptrdiff_t limit) {
  return [limit](const core::Run& run) -> std::optional<core::Stop> {
    if (std::ssize(run.attempts) < limit) return std::nullopt;
    const bool unclear = std::all_of(
        run.attempts.end() - limit, run.attempts.end(),
        [](const auto& attempt) { return attempt.evaluation.outcome == core::Outcome::Unknown; });
    if (!unclear) return std::nullopt;
    const std::string detail = fmt::format("the last {} attempts could not be judged", limit);
    return core::Stop{core::StopReason::Escalated, detail};
  };
}

}  // namespace

int main() {
  const std::vector<std::string> answers{"Perhaps.", "It depends.", "Yes."};
  core::Functions functions;
  functions.generate = [&](const core::Run& run) {
    return core::Output{.text = answers[run.attempts.size()]};
  };
  functions.evaluate = [](const core::Run&, const core::Output& output) {
    if (output.text == "Yes.") return core::passed();
    return core::unknown("the judge did not understand the answer");
  };
  core::LoopOptions options;
  options.own_stop_rules = {hand_over_after(2)};

  const core::Run run = core::run_task({.prompt = "Is it done?"}, functions, options);
  fmt::print("{}", core::transcript(run));
  return run.stop->reason == core::StopReason::Escalated ? 0 : 1;
}
