// A loop of lambdas, as a program of another project would write it (tests/consumer).
#include <hone/core/run_task.h>
#include <hone/core/transcript.h>

#include <iostream>
#include <string>

int main() {
  using namespace hone;
  core::Functions functions;
  functions.generate = [](const core::Run& run) {
    // A model would be asked here; what it learns from is in run.attempts.
    return core::Output{.text = std::to_string(91 + 2 * run.attempts.size())};
  };
  functions.evaluate = [](const core::Run&, const core::Output& output) {
    const int number = std::stoi(output.text);
    for (int divisor = 2; divisor * divisor <= number; ++divisor) {
      if (number % divisor != 0) continue;
      const std::string why = output.text + " is divisible by " + std::to_string(divisor);
      return core::failed(Score(0.5), {{.message = why, .check = "prime"}});
    }
    return core::passed();
  };
  functions.reflect = [](const core::Run& run) {
    return core::Reflection{.text = run.attempts.back().evaluation.issues.front().message};
  };
  core::LoopOptions options;
  options.stop = {.attempts = 5, .when = {.duplicate = 2}};

  const core::Run run = core::run_task({.prompt = "Name a prime above 90."}, functions, options);
  std::cout << core::transcript(run);
  return run.accepted() ? 0 : 1;
}
