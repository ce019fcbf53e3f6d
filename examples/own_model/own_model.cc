// A model of your own: one that answers with sentences of the prompt, the longest first.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <sstream>
#include <string>
#include <vector>

#include "hone/base/error.h"
#include "hone/core/effects.h"
#include "hone/core/function_roles.h"
#include "hone/core/run_task.h"
#include "hone/core/transcript.h"
#include "hone/evaluate/contains.h"
#include "hone/model/budgeted.h"
#include "hone/model/retried.h"
#include "hone/reflect/generator.h"
#include "hone/reflect/reviser.h"

namespace {

using namespace hone;

// The sentences of the line that begins with "Memo:", the longest first.
std::vector<std::string> sentences(const std::string& prompt) {
  constexpr std::string_view kMark = "Memo:";
  std::string line = prompt.substr(std::min(prompt.find(kMark), prompt.size()));
  line.resize(std::min(line.find('\n'), line.size()));
  std::istringstream memo(line.substr(std::min(kMark.size(), line.size())));
  std::vector<std::string> all;
  for (std::string text; std::getline(memo >> std::ws, text, '.');) all.push_back(text + ".");
  std::ranges::sort(all, std::ranges::greater(), &std::string::size);
  return all;
}

class Excerpt final : public core::Model {
 public:
  async<core::ModelReply> complete(core::Context, const core::ModelRequest& request) override {
    std::string prompt;
    for (const core::Message& message : request.messages) prompt += message.text + "\n";
    const auto found = sentences(prompt);
    const auto chosen = static_cast<std::size_t>(request.attempt - 1);
    if (chosen >= found.size()) {
      throw Error(ErrorKind::Refused, "the memo has no further sentence", "write a longer memo");
    }
    core::ModelReply reply{.text = found[chosen], .model = name()};
    reply.usage.calls = 1;
    reply.usage.input = Tokens{static_cast<std::int64_t>(prompt.size() / 4)};
    reply.usage.output = Tokens{static_cast<std::int64_t>(reply.text.size() / 4)};
    co_return reply;
  }
  std::string name() const override { return "excerpt"; }
};

}  // namespace

int main() {
  auto retried = std::make_unique<model::Retried>(std::make_unique<Excerpt>());
  model::Budgeted excerpt(std::move(retried));

  reflect::ModelGenerator generator(excerpt);
  reflect::Regenerate reviser(excerpt);
  evaluate::ContainsCheck check({"Friday"});
  core::FunctionReflector reflector([](const core::Run&) { return core::Reflection(); });
  core::NoMemory memory;

  core::Task task{.prompt = "When is it due? Answer with one sentence of the memo.\nMemo: "};
  task.prompt += "Sales rose in the third quarter. The report is due on Friday. Thanks.";
  const core::Budget budget{.tokens = Tokens{20'000}};
  const core::Roles roles{generator, check, reflector, reviser, memory};
  const core::Run run = core::run_task(task, roles, {}, budget);
  fmt::print("{}{} calls\n", core::transcript(run), run.usage.total().calls);
  return run.accepted() ? 0 : 1;
}
