// A check of your own, in a loop whose "model" is a list of answers.
#include <fmt/format.h>

#include <sstream>

#include "hone/core/function_roles.h"
#include "hone/core/run_task.h"
#include "hone/core/transcript.h"

namespace {

using namespace hone;

std::size_t count_words(const std::string& text) {
  std::istringstream stream(text);
  std::string word;
  std::size_t count = 0;
  while (stream >> word) ++count;
  return count;
}

class AtMostWords final : public core::Evaluator {
 public:
  explicit AtMostWords(std::size_t limit) : limit_(limit) {}

  async<core::Evaluation> evaluate(core::Context, const core::Run&,
                                   const core::Output& output) override {
    const std::size_t words = count_words(output.text);
    if (words <= limit_) co_return core::passed();
    const Score score(static_cast<double>(limit_) / static_cast<double>(words));
    core::Issue issue{.message = fmt::format("{} words, but at most {} are wanted", words, limit_),
                      .kind = "length"};
    std::vector<core::Issue> issues{std::move(issue)};
    co_return core::failed(score, std::move(issues));
  }

 private:
  std::size_t limit_;
};

}  // namespace

int main() {
  const std::vector<std::string> answers{"It makes language models check and improve their work.",
                                         "It makes models check themselves."};
  const auto answer = [&](const core::Run& run) {
    return core::Output{.text = answers[run.attempts.size()]};
  };
  core::FunctionGenerator generator(answer);
  core::FunctionReviser reviser(answer);
  core::FunctionReflector reflector(
      [](const core::Run&) { return core::Reflection{.text = "Say less."}; });
  AtMostWords evaluator(5);
  core::NoMemory memory;

  core::Task task{.prompt = "Say in at most five words what hone does."};
  const core::Roles roles{generator, evaluator, reflector, reviser, memory};
  const core::Run run = core::run_task(task, roles);
  fmt::print("{}", core::transcript(run));
  return run.accepted() ? 0 : 1;
}
