// A reviser of your own: mends what a program can mend, and leaves the rest to another one.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "hone/base/json.h"
#include "hone/core/function_roles.h"
#include "hone/core/run_task.h"
#include "hone/core/transcript.h"

namespace {

using namespace hone;

// Takes the trailing commas out of an output that should be JSON.
class WithoutTrailingCommas final : public core::Reviser {
 public:
  explicit WithoutTrailingCommas(core::Reviser& otherwise) : otherwise_(otherwise) {}

  async<core::Output> revise(core::Context context, const core::Run& run) override {
    std::string text = run.find_best()->output.text;
    for (auto at = text.find(",}"); at != std::string::npos; at = text.find(",}"))
      text.erase(at, 1);
    if (try_parse_json(text)) co_return core::Output{.text = text, .strategy = "commas"};
    auto revising = otherwise_.revise(std::move(context), run);
    co_return co_await std::move(revising);
  }

 private:
  core::Reviser& otherwise_;
};

core::Evaluation judge(const core::Run&, const core::Output& output) {
  if (try_parse_json(output.text)) return core::passed();
  const Score half(output.text.starts_with('{') ? 0.5 : 0.0);
  return core::failed(half, {{.message = "this is not JSON", .check = "json"}});
}

}  // namespace

int main() {
  core::FunctionGenerator generator(
      [](const core::Run&) { return core::Output{.text = R"(title: "Q3")"}; });
  core::FunctionReviser model(
      [](const core::Run&) { return core::Output{.text = R"({"title":"Q3",})"}; });
  WithoutTrailingCommas reviser(model);
  core::FunctionEvaluator evaluator(judge);
  core::FunctionReflector reflector([](const core::Run&) { return core::Reflection(); });
  core::NoMemory memory;

  const core::Roles roles{generator, evaluator, reflector, reviser, memory};
  const core::Run run = core::run_task({.prompt = "Give the title as JSON."}, roles);
  fmt::print("{}", core::transcript(run));
  return run.accepted() && run.find_selected()->output.strategy == "commas" ? 0 : 1;
}
